# libraries.sh - what a program of bench/ links besides libknoten.a, by how that was built: "libraries BUILD".
libraries()
{
    echo "-lklu -lamd -lcolamd -lbtf -lsuitesparseconfig -llapacke -llapack -lblas -lpthread -lm" \
        "$(sed -n 's/^KNOTEN_arpack_LIBRARY:FILEPATH=\(\/.*\)/\1/p' "$1/CMakeCache.txt")"
}

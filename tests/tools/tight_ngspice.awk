# Makes of a deck the same deck for ngspice at tight tolerances:  awk -v tmax=1n -v method=trap -f tight_ngspice.awk DECK
# The largest step of .tran becomes tmax (0: as it is); options go before .end.
tolower($1) == ".tran" {
    uic = tolower($NF) == "uic" ? " uic" : ""
    count = NF - (uic != "")
    start = count >= 4 ? $4 : 0
    largest = tmax != "0" ? tmax : (count >= 5 ? $5 : $2)
    print ".tran", $2, $3, start, largest uic
    next
}
tolower($1) == ".end" {
    print ".options reltol=1e-7 vntol=1e-9 abstol=1e-13 chgtol=1e-18 trtol=1 itl4=100 method=" method
}
{ print }

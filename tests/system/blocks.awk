# blocks.awk - the fenced blocks of one kind in a page, each into a file, and how many there are:
#   awk -v kind=sh -v folder=DIR -v ending=.cir -f blocks.awk page.md
/^```/ && inside { inside = 0; next }
$0 == "```" kind { inside = 1; file = sprintf("%s/block%02d%s", folder, ++blocks, ending); next }
inside { print > file }
END { print blocks + 0 }

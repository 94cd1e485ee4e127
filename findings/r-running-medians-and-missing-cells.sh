#!/usr/bin/env bash
# R 4.2.2, runmed: whether a missing cell raises or lowers a running median depends on how many were missing before it, however far away.
#
# runmed takes a missing cell, unless it is told otherwise, for a very large number, the next for a very small one, and so on ("+Big_alternate", as its
# page says). So two windows with the same cells have different medians, and a series without its first rows has others than it has in the whole: a
# running median cannot be computed in parts, or by groups of rows. With na.action = "na.omit" the first value of a result is memory that nobody has
# written, and missing cells come back as missing while others come from a series in which the neighbours of a gap are neighbours.
. "$(dirname "$0")/packages.bash"
debian r-base-core=4.2.2.20221110-2
cat > "$TEMP/look.R" <<'R'
x <- c(1, NA, 3, 9, 9, 1, NA, 3, 9, 9)
cat(runmed(x, 3), "\n")
cat(runmed(x[4:10], 3), "\n")
cat(runmed(x, 3, na.action = "-Big_alternate"), "\n")
omitted <- runmed(x, 3, na.action = "na.omit")
cat(omitted[2:10], "\n")
long <- c(1, NA, rep(3, 9998))
cat(runmed(long, 3, na.action = "na.omit")[1], "\n")
R
# glibc fills memory that it gives with the complement of this byte, so that what nobody writes is the same in each run.
readarray -t seen < <(MALLOC_PERTURB_=$((0x55)) r "$TEMP/look.R" | sed 's/ *$//')
echo 'Medians of three cells, of 1 NA 3 9 9 1 NA 3 9 9'
expect 'the series' '1 3 9 9 9 1 1 3 9 9' "${seen[0]:-}"
expect 'the same from the fourth cell on' '9 9 9 3 9 9 9' "${seen[1]:-}"
expect 'na.action = "-Big_alternate"' '1 1 3 9 9 9 3 9 9 9' "${seen[2]:-}"
expect 'na.action = "na.omit", from the second cell on' 'NA 3 9 9 3 NA 3 9 9' "${seen[3]:-}"
expect 'its first cell of many, where memory is filled with 0xAA' '-3.720662e-103' "${seen[4]:-}"
finish

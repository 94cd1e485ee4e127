#!/usr/bin/env bash
# RcppRoll 0.3.0 for R: the weighted standard deviation of four sevens is 3, weighted maxima are above all cells, and moving medians depend on where in the
# window a cell is missing.
#
# The manual has weights for the cells of a window, which are scaled to a sum of as many as there are cells, and na.rm for whether missing values are removed.
# roll_sd takes differences of weighted cells from the mean: with 1, 2 and 1 for weights a straight line from 1 to 6 has deviations that rise from 1.1 to 2.3, and
# those of the same line from 101 on are 44. Maxima and minima are those of weights times cells: over 1, 2 and 3, with 0 for the 2, the maximum is 4.5 and
# the minimum 0. The weight of a missing cell still counts where it is removed: the mean of 5 and 1 on both sides of one is 2.25, and 3 without weights.
# roll_median does the same with na.rm and without. Of NA, 1 and 2 it is 1, of 1, 2 and 3 it is 2, and of 5, NA and 1 it is NA.
. "$(dirname "$0")/packages.bash"
debian r-cran-rcpproll=0.3.0-2
cat > "$TEMP/look.R" <<'R'
library(RcppRoll)
line <- 1:6
gap <- c(5, NA, 1, 2, 3, 4, NA, 9, 8)
print(roll_median(gap, 3))
print(roll_median(gap, 3, na.rm = TRUE))
print(roll_mean(gap, 3))
print(roll_max(line, weights = c(1, 0, 1)))
print(roll_min(line, weights = c(1, 0, 1)))
print(roll_sd(line, 3))
print(roll_sd(line, weights = c(1, 2, 1)))
print(roll_sd(line + 100, weights = c(1, 2, 1)))
print(roll_mean(gap[1:3], weights = c(1, 2, 1), na.rm = TRUE))
print(roll_mean(gap[1:3], 3, na.rm = TRUE))
print(roll_sd(rep(7, 4), weights = c(1, 2, 1)))
R
readarray -t seen < <(r "$TEMP/look.R" | sed 's/^ *\[1\] *//; s/  */ /g')
echo 'Windows of three cells over 5 NA 1 2 3 4 NA 9 8'
expect 'medians' 'NA 1 2 3 4 NA NA' "${seen[0]:-}"
expect 'medians, na.rm' 'NA 1 2 3 4 NA NA' "${seen[1]:-}"
expect 'means' 'NA NA 2 3 NA NA NA' "${seen[2]:-}"
expect 'mean of the first window, weights 1 2 1, na.rm' '2.25' "${seen[8]:-}"
expect 'mean of the first window, na.rm' '3' "${seen[9]:-}"
echo 'Windows of three cells over 1 to 6'
expect 'maxima, weights 1 0 1' '4.5 6.0 7.5 9.0' "${seen[3]:-}"
expect 'minima, weights 1 0 1' '0 0 0 0' "${seen[4]:-}"
expect 'standard deviations' '1 1 1 1' "${seen[5]:-}"
expect 'standard deviations, weights 1 2 1' '1.145644 1.500000 1.887459 2.291288' "${seen[6]:-}"
expect '  of 101 to 106' '44.17366 44.60661 45.03957 45.47252' "${seen[7]:-}"
expect '  of four sevens' '3.031089 3.031089' "${seen[10]:-}"
finish

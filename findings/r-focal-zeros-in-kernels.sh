#!/usr/bin/env bash
# terra 1.7-3 and raster 3.6-14 for R: cells to which a kernel gives the weight 0 are left out of means by one, and are zeros in them to the other; in
# minima and medians they are zeros to both.
#
# focal moves a matrix of weights over a raster; a cross of ones with zeros in the corners is how a neighbourhood of five cells is written. terra's
# fun = "sum" and "mean" take the weights as such. Every other fun, min, max, median and sd among them, is given weights times cells: in a raster of
# numbers above 0 all minima are 0, and medians of five of nine cells are far too low. A function of R's that does the same as "mean" has another
# result than "mean". raster, which terra replaces, has zeros in means even where the weight is NA, which leaves cells out of its minima and medians.
. "$(dirname "$0")/packages.bash"
debian r-cran-terra=1.7-3-1 r-cran-raster=3.6-14-1
cat > "$TEMP/look.R" <<'R'
suppressMessages({ library(terra); library(raster) })
cells <- c(1, 4, 9, 16, 25, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71)
new <- terra::rast(nrows = 5, ncols = 5, xmin = 0, xmax = 5, ymin = 0, ymax = 5)
terra::values(new) <- cells
old <- raster::raster(nrows = 5, ncols = 5, xmn = 0, xmx = 5, ymn = 0, ymx = 5)
raster::values(old) <- cells
cross <- matrix(c(0, 1, 0, 1, 1, 1, 0, 1, 0), 3)
unknown <- cross
unknown[unknown == 0] <- NA
five <- c(5, 17, 19, 23, 41) # around the cell in the middle
cat(mean(five), min(five), median(five), "\n")
centre <- function(made) round(as.numeric(made[13]), 4)
at <- function(weights, fun) centre(terra::values(terra::focal(new, w = weights, fun = fun)))
cat(at(cross, "mean"), at(cross, "min"), at(cross, "median"), "\n")
cat(at(unknown, "mean"), at(unknown, "min"), at(unknown, "median"), "\n")
cat(at(cross, function(v, ...) mean(v)), at(cross, function(v, ...) min(v)), at(cross, function(v, ...) median(v)), "\n")
before <- function(weights, fun) centre(raster::values(raster::focal(old, w = weights, fun = fun)))
cat(before(cross, mean), before(cross, min), before(cross, median), "\n")
cat(before(unknown, mean), before(unknown, min), before(unknown, median), "\n")
R
readarray -t seen < <(r "$TEMP/look.R" | sed 's/ *$//')
echo 'Mean, minimum and median of 5, 17, 19, 23 and 41, the cells of a cross'
expect 'by hand' '21 5 19' "${seen[0]:-}"
expect 'terra, weights 0 and 1' '21 0 5' "${seen[1]:-}"
expect 'terra, weights NA and 1' '21 5 19' "${seen[2]:-}"
expect 'terra, weights 0 and 1, functions of R' '11.6667 0 5' "${seen[3]:-}"
expect 'raster, weights 0 and 1' '11.6667 0 5' "${seen[4]:-}"
expect 'raster, weights NA and 1' '11.6667 5 19' "${seen[5]:-}"
finish

#!/usr/bin/env bash
# GMT 6.4.0 (Debian 12): rectangular windows of grdfilter are two cells too wide, cells at the border count by half, and medians may be the next number.
#
# The manual of grdfilter has the width of a filter as its full diameter, "width/width2" for a rectangle, equal weights for a boxcar, and -Fm as the median.
# -Fb3/3 and -Fu3/3 take 5 by 5 cells where -Fb3 and -Fu3 take 3 by 3; the rectangle of medians has 3 by 3. In a grid with nodes on its border (gridline
# registration, the default), nodes of the border weigh a half and corners a quarter, also in windows that are in the grid as a whole; with pixel
# registration all weigh the same. Of eight cells with equal weights, one of nine being NaN, the median is the middle of two in some places, and in others
# the upper or the lower one of them. The manual says nothing of it.
. "$(dirname "$0")/packages.bash"
debian gmt=6.4.0+dfsg-2
cd "$TEMP"
# Makes grid.nc: registration (g or p), number of rows and columns, and the value of a cell as an expression of its row r and column c.
grid() {
  local last=$(($2 - 1)) region
  region=-R0/$last/0/$last
  [ "$1" = g ] || region=-R-0.5/$last.5/-0.5/$last.5
  awk -v n="$2" 'BEGIN { for (r = 0; r < n; r++) for (c = 0; c < n; c++) print c, r, '"$3"' }' | gmt xyz2grd "$region" -I1 -r"$1" -Ggrid.nc
}
# The cells of one row of the filtered grid.
row() { gmt grdfilter grid.nc "-F$1" -D0 -Gfiltered.nc && gmt grd2xyz filtered.nc | awk -v row="$2" '$2 == row { printf "%s%g", space, $3; space = " " }'; }
grid g 9 '(r == 4 && c == 4) ? 90 : 0'
expect 'maximum, -Fu3, 90 in the middle of zeros' '0 0 0 90 90 90 0 0 0' "$(row u3 4)"
expect 'maximum, -Fu3/3' '0 0 90 90 90 90 90 0 0' "$(row u3/3 4)"
expect 'mean, -Fb3' '0 0 0 10 10 10 0 0 0' "$(row b3 4)"
expect 'mean, -Fb3/3' '0 0 4 3.6 3.6 3.6 4 0 0' "$(row b3/3 4)"
grid g 9 '(r >= 3 && r <= 5 && c >= 3 && c <= 5) ? 9 : 0'
expect 'median, -Fm3/3, of a square of 3 by 3 nines' '0 0 0 9 9 9 0 0 0' "$(row m3/3 4)"
grid g 5 'r == 0 ? 9 : 0'
expect 'mean, -Fb3, next to a border of nines, gridline' '1.8 1.8 1.8 1.8 1.8' "$(row b3 1)"
grid p 5 'r == 0 ? 9 : 0'
expect 'mean, -Fb3, next to a border of nines, pixel' '3 3 3 3 3' "$(row b3 1)"
grid p 5 '(r == 2 && c == 2) ? "NaN" : 5 * r + c'
expect 'median, -Fm3, of 1 2 3 6 7 8 11 13 (6.5)' '7' "$(row m3 1 | cut -d ' ' -f 3)"
expect 'median, -Fm3, of 6 7 8 11 13 16 17 18 (12)' '11' "$(row m3 2 | cut -d ' ' -f 3)"
expect 'median, -Fm3, of 7 8 9 13 14 17 18 19 (13.5)' '13.5' "$(row m3 2 | cut -d ' ' -f 4)"
finish

#!/usr/bin/env bash
# GRASS 8.2.1: the border of a derivative is the elevation itself, rasters of doubles are filtered to floats, and sums of integers that are too large are missing.
#
# r.mfilter applies a matrix to a raster. Its manual says what cells without a value do, and nothing of the border. There the output has the cells of the input:
# a gradient of 1.5 to 4.5 has elevations of 10 and 25 at its ends, and filters that run a hundred times never change them. The output is of
# 32-bit floats, whatever the input: means of 100000.001 are 100000. A cell without a value makes a result missing even where its weight is 0.
# r.neighbors has other edges, those of smaller windows, and keeps doubles. Its sums of integers are integers by the manual; above 2147483647 the cell has no
# value, though it has nine neighbours that do, and the program says nothing.
. "$(dirname "$0")/packages.bash"
debian grass-core=8.2.1-1
mkdir -p "$TEMP/grass/plane/PERMANENT"
export GISBASE="$TEMP/root/usr/lib/grass82" GISRC="$TEMP/grass/rc" GRASS_VERBOSE=-1 LD_LIBRARY_PATH="$TEMP/root/usr/lib/grass82/lib:$LD_LIBRARY_PATH"
export PATH="$GISBASE/bin:$PATH"
printf 'GISDBASE: %s\nLOCATION_NAME: plane\nMAPSET: PERMANENT\nGUI: text\n' "$TEMP/grass" > "$GISRC"
printf '%s\n' 'proj: 0' 'zone: 0' 'north: 5' 'south: 0' 'east: 6' 'west: 0' 'cols: 6' 'rows: 5' 'e-w resol: 1' 'n-s resol: 1' 'top: 1' 'bottom: 0' \
  'cols3: 6' 'rows3: 5' 'depths: 1' 'e-w resol3: 1' 'n-s resol3: 1' 't-b resol: 1' | tee "$TEMP/grass/plane/PERMANENT/DEFAULT_WIND" > "$TEMP/grass/plane/PERMANENT/WIND"

# Makes a raster of five equal rows: its name, type, and row.
raster() {
  { printf 'north: 5\nsouth: 0\neast: 6\nwest: 0\nrows: 5\ncols: 6\n'; for _ in 1 2 3 4 5; do echo "$3"; done; } | r.in.ascii input=- output="$1" type="$2" --overwrite
}
# Prints one row of a raster, with its numbers in a form that is given.
row() {
  r.out.ascii -h input="$1" output=- precision=17 | sed -n "$2p" | tr ' ' '\n' | awk -v form="${3:-%.12g}" '/[0-9]/ { printf form "\n", $1 } /^\*/' | xargs
}
raster large CELL '300000000 300000000 300000000 200000000 200000000 200000000'
raster fine DCELL '100000.001 100000.001 100000.001 100000.001 100000.001 100000.001'
raster slope DCELL '10 11 13 16 20 25'
raster gap DCELL '10 11 * 16 20 25'
printf 'MATRIX 3\n0 0 0\n-1 0 1\n0 0 0\nDIVISOR 2\nTYPE P\n' > "$TEMP/difference"
printf 'MATRIX 3\n1 1 1\n1 1 1\n1 1 1\nDIVISOR 9\nTYPE P\n' > "$TEMP/mean"
r.mfilter input=slope output=differences filter="$TEMP/difference"
r.mfilter input=gap output=gaps filter="$TEMP/difference"
r.mfilter input=slope output=often filter="$TEMP/mean" repeat=100
r.mfilter input=fine output=means filter="$TEMP/mean"
r.neighbors input=fine output=averages method=average size=3
r.neighbors input=slope output=edges method=average size=3
r.neighbors input=large output=sums method=sum size=3
echo 'Five equal rows of 10 11 13 16 20 25'
expect 'half of right minus left, by r.mfilter' '10 1.5 2.5 3.5 4.5 25' "$(row differences 2)"
expect '  the first row of it' '10 11 13 16 20 25' "$(row differences 1)"
expect '  with no value instead of the 13' '10 * * * 4.5 25' "$(row gaps 2)"
expect 'means of 3 by 3, a hundred times' '10 12 14 17 21 25' "$(row often 3 %.0f)"
expect 'means by r.neighbors' '10.5 11.3333 13.3333 16.3333 20.3333 22.5' "$(row edges 2 %.6g)"
echo 'Five equal rows of 100000.001, and of 300000000 three times and 200000000 three times'
expect 'means by r.mfilter' '100000 100000 100000 100000 100000 100000' "$(row means 2)"
expect 'means by r.neighbors' '100000.001 100000.001 100000.001 100000.001 100000.001 100000.001' "$(row averages 2 %.9g)"
expect 'sums of 3 by 3' '1800000000 * * 2100000000 1800000000 1200000000' "$(row sums 2)"
finish

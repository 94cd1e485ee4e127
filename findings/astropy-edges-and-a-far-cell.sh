#!/usr/bin/env bash
# Astropy 5.2.1 (Debian 12): whether the edges of a convolution are NaN depends on a missing cell anywhere in the array.
#
# By the reference of convolve, fill_value is what lies outside, with boundary='fill', and missing cells within are interpolated by default. With NaN
# outside, the edges are NaN, unless there is a missing cell somewhere: then what is outside is interpolated, too, at all edges. A grid that is cut
# in tiles has edges of two kinds. convolve_fft, which shall be the same but faster, always interpolates.
. "$(dirname "$0")/packages.bash"
debian python3-astropy=5.2.1-2+deb12u1 python3-numpy=1:1.24.2-1+deb12u1
cat > "$TEMP/look.py" <<'PY'
import numpy
from astropy.convolution import convolve, convolve_fft

for missing in (None, 9):
    cells = numpy.arange(1.0, 13)
    if missing:
        cells[missing] = numpy.nan
    for function in (convolve, convolve_fft):
        print(*["%.3g" % cell for cell in function(cells, numpy.ones(3), boundary="fill", fill_value=numpy.nan)])
PY
readarray -t seen < <(python "$TEMP/look.py")
echo '1 to 12, means of three, NaN outside'
expect 'convolve' 'nan 2 3 4 5 6 7 8 9 10 11 nan' "${seen[0]:-}"
expect 'convolve_fft' '1.5 2 3 4 5 6 7 8 9 10 11 11.5' "${seen[1]:-}"
echo 'the same, 10 is missing'
expect 'convolve' '1.5 2 3 4 5 6 7 8 8.5 10 11.5 11.5' "${seen[2]:-}"
expect 'convolve_fft' '1.5 2 3 4 5 6 7 8 8.5 10 11.5 11.5' "${seen[3]:-}"
finish

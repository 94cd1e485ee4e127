#!/usr/bin/env bash
# SciPy 1.10.1 (Debian 12): the maximum of 64-bit integers in a window is a number that no cell has, and may be less than all of them.
#
# By SciPy's reference, maximum_filter gives an array of the input's type. It looks for extremes in doubles, and turns what it finds back: identifiers and
# times in nanoseconds, from 2^53 on, lose their last bits. Cells that equal the maximum around them, the usual way to find peaks, there are none.
# Filters that only pick a cell all do so: erosions, ranks and medians. Windows of NumPy are exact.
. "$(dirname "$0")/packages.bash"
debian python3-scipy=1.10.1-2 python3-numpy=1:1.24.2-1+deb12u1
cat > "$TEMP/look.py" <<'PY'
import numpy
import scipy.ndimage as ndimage

times = numpy.array([1700000000000000001, 1700000000000000123, 1700000000000000207])

def show(cells):
    print(cells.dtype, *[int(cell) - 1700000000000000000 for cell in cells])

show(ndimage.maximum_filter(times, 3))
show(ndimage.maximum_filter1d(times, 1))
show(ndimage.grey_erosion(times, 3))
show(ndimage.rank_filter(times, 1, 3))
show(ndimage.median_filter(times, 3))
windows = numpy.lib.stride_tricks.sliding_window_view(numpy.pad(times, 1, "symmetric"), 3)
show(windows.max(axis=1))
show(numpy.sort(windows, axis=1)[:, 1])
print((times == ndimage.maximum_filter(times, 3)).sum(), (times == windows.max(axis=1)).sum())
PY
readarray -t seen < <(python "$TEMP/look.py")
echo '1.7e18 and 1, 123, 207: what is above 1.7e18'
expect 'maximum_filter, windows of three' 'int64 0 256 256' "${seen[0]:-}"
expect 'maximum_filter1d, windows of one' 'int64 0 0 256' "${seen[1]:-}"
expect 'grey_erosion, three' 'int64 0 0 0' "${seen[2]:-}"
expect 'rank_filter, the second of three' 'int64 0 0 256' "${seen[3]:-}"
expect 'median_filter, three' 'int64 0 0 256' "${seen[4]:-}"
expect 'NumPy, the maximum of three' 'int64 123 207 207' "${seen[5]:-}"
expect 'NumPy, the second of three' 'int64 1 123 207' "${seen[6]:-}"
expect 'cells that are the maximum around them: SciPy, NumPy' '0 1' "${seen[7]:-}"
finish

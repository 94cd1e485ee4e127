#!/usr/bin/env bash
# NumPy 1.24.2, Dask 2022.12.1 and xarray 2023.01.0: padding that is wider than the array is not periodic, or narrower than it was asked for, without an error.
#
# Short series, and chunks at the end of a grid, are padded by more cells than they have. numpy.pad fills both sides in turns, from what it has filled so far:
# with one cell in front and four behind, 1 2 3 goes on as 1 2 3 3 and not as 1 2 3 1, while four on both sides are right. "reflect" loses a cell at eight.
# dask.array.pad takes at most a whole array on each side: of three cells and five more on both sides it makes 8 or 7 cells and not 13, and xarray
# passes that on if it has Dask arrays, though with NumPy's it has 13. Dask has two meanings of "reflect", too: pad leaves the cell at the edge out of the
# mirror, and map_overlap repeats it: a derivative is 0 at the edge by one and not by the other. What map_overlap puts outside has the type of the array:
# NaN beside integers is some integer, and 300 beside bytes is 44.
. "$(dirname "$0")/packages.bash"
debian python3-xarray=2023.01.0-1.1 python3-dask=2022.12.1+dfsg-2 python3-pandas=1.5.3+dfsg-2 python3-pandas-lib=1.5.3+dfsg-2 python3-numpy=1:1.24.2-1+deb12u1
cat > "$TEMP/look.py" <<'PY'
import dask.array as da
import numpy as np
import xarray as xr

def line(cells):
    return " ".join(f"{cell:g}" for cell in cells)

three = np.array([1, 2, 3])
chunk = da.from_array(three, chunks=3)
for widths in ((1, 4), (4, 4)):
    print(line(np.pad(three, widths, mode="wrap")))
for widths in ((1, 8), (8, 8)):
    print(line(np.pad(three, widths, mode="reflect")))
for mode in ("wrap", "reflect"):
    print(line(np.pad(three, 5, mode=mode)))
    print(line(da.pad(chunk, 5, mode=mode).compute()))
array = xr.DataArray(three, dims="x")
print(array.pad(x=5, mode="wrap").size, array.chunk(x=3).pad(x=5, mode="wrap").size)

def derivative(cells):
    return np.concatenate([[0], (cells[2:] - cells[:-2]) / 2, [0]])

slope = da.from_array(np.array([10, 11, 13, 16, 20, 25]), chunks=3)
print(line(da.map_overlap(derivative, slope, depth=1, boundary="reflect", dtype=float).compute()))
print(line(derivative(da.pad(slope, 1, mode="reflect").compute())[1:-1]))
print(da.overlap.overlap(chunk, depth=1, boundary=np.nan).compute().dtype)
print(da.overlap.overlap(chunk.astype("uint8"), depth=1, boundary=300).compute()[0])
PY
readarray -t seen < <(python "$TEMP/look.py")
echo 'The numbers 1 2 3'
expect 'NumPy, wrap, one in front and four behind' '3 1 2 3 1 2 3 3' "${seen[0]:-}"
expect 'NumPy, wrap, four on both sides' '3 1 2 3 1 2 3 1 2 3 1' "${seen[1]:-}"
expect 'NumPy, reflect, one in front and eight behind' '2 1 2 3 2 1 2 3 2 1 2 1' "${seen[2]:-}"
expect 'NumPy, reflect, eight on both sides' '1 2 3 2 1 2 3 2 1 2 3 2 1 2 3 2 1 2 3' "${seen[3]:-}"
expect 'NumPy, wrap, five on both sides' '2 3 1 2 3 1 2 3 1 2 3 1 2' "${seen[4]:-}"
expect 'Dask, wrap, five on both sides' '2 3 1 2 3 1 2 3' "${seen[5]:-}"
expect 'NumPy, reflect, five on both sides' '2 1 2 3 2 1 2 3 2 1 2 3 2' "${seen[6]:-}"
expect 'Dask, reflect, five on both sides' '3 2 1 2 3 2 1' "${seen[7]:-}"
expect 'xarray, cells with NumPy and with Dask' '13 8' "${seen[8]:-}"
echo 'Dask: derivatives of 10 11 13 16 20 25, reflected by one cell, and what is outside'
expect 'by map_overlap' '0.5 1.5 2.5 3.5 4.5 2.5' "${seen[9]:-}"
expect 'by pad' '0 1.5 2.5 3.5 4.5 0' "${seen[10]:-}"
expect 'the type of integers with NaN beside them' 'int64' "${seen[11]:-}"
expect '300 beside bytes' '44' "${seen[12]:-}"
finish

#!/usr/bin/env bash
# xarray 2023.01.0 with netCDF4 1.6.2 and zarr 2.13.6 (Debian 12): 64-bit integers with a _FillValue lose their last bits on the way to Zarr.
#
# open_dataset makes a variable with a _FillValue floating, so that missing cells can be NaN, and to_zarr makes it int64 again. Above 2^53
# different numbers become one. The value that is stored where a cell is missing is rounded as well, and is no longer the one that .zarray
# calls fill_value: xarray, which compares as floats, still shows NaN; a reader that compares integers finds no missing cell.
. "$(dirname "$0")/packages.bash"
debian python3-xarray=2023.01.0-1.1 python3-netcdf4=1.6.2-1+b1 python3-zarr=2.13.6+ds-1
cat > "$TEMP/look.py" <<'PY'
import sys, json, numpy as np, netCDF4, xarray, zarr
folder = sys.argv[1]
missing = -9223372036854775806
with netCDF4.Dataset(folder + "/a.nc", "w") as file:
    file.createDimension("x", 3)
    variable = file.createVariable("n", "i8", ("x",), fill_value=missing)
    variable.set_auto_mask(False)
    variable[:] = np.array([2**60, 2**60 + 1, missing])
xarray.open_dataset(folder + "/a.nc").to_zarr(folder + "/a.zarr")
stored = zarr.open(folder + "/a.zarr/n", mode="r")
print(stored.dtype, int(stored[1]) - int(stored[0]))
print(int(stored[2]), json.load(open(folder + "/a.zarr/n/.zarray"))["fill_value"])
print(xarray.open_zarr(folder + "/a.zarr").n.isnull().values.tolist())
PY
readarray -t lines < <(python "$TEMP/look.py" "$TEMP")
expect 'type stored, and the difference of 2^60 + 1 and 2^60' 'int64 0' "${lines[0]}"
expect 'stored for the missing cell, and fill_value' '-9223372036854775808 -9223372036854775806' "${lines[1]}"
expect 'missing in xarray' '[False, False, True]' "${lines[2]}"
finish

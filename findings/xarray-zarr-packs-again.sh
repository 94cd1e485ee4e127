#!/usr/bin/env bash
# xarray 2023.01.0 with netCDF4 1.6.2 and zarr 2.13.6 (Debian 12): what shows NaN in xarray lies as -1e34 in the Zarr that xarray writes.
#
# open_dataset decodes a file, so that a missing cell is NaN and a packed integer is a temperature. Each variable keeps its encoding,
# though, and to_zarr encodes by it again: -1e34 is stored where NaN was, and int16 where the temperatures were. The value for missing
# cells is among the attributes nowhere but as fill_value in .zarray, which the Zarr specification calls the value of cells that were never
# written, not of missing ones. A reader that takes the array at its word reads a sea surface temperature of -1e34, and 200 for 282.0 K.
. "$(dirname "$0")/packages.bash"
debian python3-xarray=2023.01.0-1.1 python3-netcdf4=1.6.2-1+b1 python3-zarr=2.13.6+ds-1
cat > "$TEMP/look.py" <<'PY'
import sys, json, numpy as np, netCDF4, xarray, zarr
folder = sys.argv[1]
with netCDF4.Dataset(folder + "/a.nc", "w") as file:
    file.createDimension("x", 4)
    file.createVariable("sst", "f4", ("x",), fill_value=-1e34)[:] = np.ma.masked_invalid([20.5, np.nan, 21.0, np.nan])
    packed = file.createVariable("t2m", "i2", ("x",), fill_value=-32767)
    packed.scale_factor, packed.add_offset = 0.01, 280.0
    packed[:] = np.ma.masked_invalid([282.0, np.nan, 283.5, 281.0])
dataset = xarray.open_dataset(folder + "/a.nc")
print(dataset.sst.values.tolist())
dataset.to_zarr(folder + "/a.zarr")
for name in "sst", "t2m":
    array = zarr.open(folder + "/a.zarr/" + name, mode="r")
    print(array.dtype, array[:].tolist())
    metadata = json.load(open(folder + "/a.zarr/" + name + "/.zarray"))
    print(metadata["fill_value"], sorted(array.attrs))
PY
readarray -t lines < <(python "$TEMP/look.py" "$TEMP")
expect 'sst in xarray' '[20.5, nan, 21.0, nan]' "${lines[0]}"
expect 'sst in the Zarr it wrote' 'float32 [20.5, -9.999999790214768e+33, 21.0, -9.999999790214768e+33]' "${lines[1]}"
expect 'its fill_value and attributes' "-9.999999790214768e+33 ['_ARRAY_DIMENSIONS']" "${lines[2]}"
expect 't2m in the Zarr it wrote' 'int16 [200, -32767, 350, 100]' "${lines[3]}"
expect 'its fill_value and attributes' "-32767 ['_ARRAY_DIMENSIONS', 'add_offset', 'scale_factor']" "${lines[4]}"
finish

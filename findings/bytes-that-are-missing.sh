#!/usr/bin/env bash
# netCDF4 1.6.2 and xarray 2023.01.0 (Debian 12): an unsigned byte 255 that was written is missing to one and a number to the other.
#
# A variable without _FillValue has the default fill value of its type. For bytes every value may be meant, and the NetCDF guide says that readers
# should not take any for missing. netCDF4 masks 255 of unsigned bytes and -127 of signed ones nevertheless: the brightest pixels of an image.
. "$(dirname "$0")/packages.bash"
debian python3-xarray=2023.01.0-1.1 python3-netcdf4=1.6.2-1+b1
cat > "$TEMP/look.py" <<'PY'
import sys
import netCDF4
import numpy
import xarray

path = sys.argv[1] + "/image.nc"
with netCDF4.Dataset(path, "w") as file:
    file.createDimension("x", 4)
    file.createVariable("image", "u1", ("x",))[:] = numpy.array([0, 100, 254, 255], "u1")
    file.createVariable("signed", "i1", ("x",))[:] = numpy.array([0, 100, -127, -128], "i1")
with netCDF4.Dataset(path) as file:
    print(*file["image"][:].filled(0), "|", *file["signed"][:].filled(0))
file = xarray.open_dataset(path)
print(*file.image.values, "|", *file.signed.values)
PY
readarray -t lines < <(python "$TEMP/look.py" "$TEMP")
expect 'netCDF4, with 0 where it masks' '0 100 254 0 | 0 100 0 -128' "${lines[0]}"
expect 'xarray' '0 100 254 255 | 0 100 -127 -128' "${lines[1]}"
finish

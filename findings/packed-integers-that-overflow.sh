#!/usr/bin/env bash
# netCDF4 1.6.2, xarray 2023.01.0, CDO 2.1.1 and NCO 5.1.4 (Debian 12): packed shorts whose scale is a short are 60000 to two of them, and -5536 to two.
#
# By CF 8.1, unpacked data are of the type of the packed data if scale_factor has that type. netCDF4 and NCO take it at its word, and what is too large
# turns round in 16 bits, without a warning. xarray and CDO unpack to floats. With the scale 2.0 all of them have 60000.
. "$(dirname "$0")/packages.bash"
debian cdo=2.1.1-1+deb12u1 nco=5.1.4-1+deb12u1 python3-netcdf4=1.6.2-1+b1 python3-xarray=2023.01.0-1.1 python3-pandas=1.5.3+dfsg-2 python3-pandas-lib=1.5.3+dfsg-2 \
  python3-numpy=1:1.24.2-1+deb12u1
export LD_LIBRARY_PATH="$TEMP/root/usr/lib/nco:$LD_LIBRARY_PATH"
cat > "$TEMP/look.py" <<'PY'
import subprocess
import netCDF4
import numpy
import xarray

for scale in (numpy.int16(2), 2.0):
    with netCDF4.Dataset("in.nc", "w", format="NETCDF3_CLASSIC") as file:
        for name, units in (("lat", "degrees_north"), ("lon", "degrees_east")):
            file.createDimension(name, 2)
            variable = file.createVariable(name, "f8", (name,))
            variable.units = units
            variable[:] = [0, 1]
        variable = file.createVariable("u", "i2", ("lat", "lon"))
        variable.set_auto_maskandscale(False)
        variable.scale_factor = scale
        variable[:] = [[30000, 20000], [2, 3]]
    with netCDF4.Dataset("in.nc") as file:
        print(*["%g" % cell for cell in file["u"][:].ravel()])
    with xarray.open_dataset("in.nc") as file:
        print(*["%g" % cell for cell in file["u"].values.ravel()])
    print(*subprocess.run(["cdo", "-s", "outputf,%g,1", "in.nc"], check=True, capture_output=True, text=True).stdout.split())
    subprocess.run(["ncpdq", "-O", "-U", "in.nc", "out.nc"], check=True)
    with netCDF4.Dataset("out.nc") as file:
        file.set_auto_maskandscale(False)
        print(*["%g" % cell for cell in file["u"][:].ravel()])
PY
readarray -t seen < <(cd "$TEMP" && python look.py)
echo 'shorts 30000 20000 2 3, the scale is the short 2'
expect 'netCDF4' '-5536 -25536 4 6' "${seen[0]:-}"
expect 'xarray' '60000 40000 4 6' "${seen[1]:-}"
expect 'CDO' '60000 40000 4 6' "${seen[2]:-}"
expect 'NCO' '-5536 -25536 4 6' "${seen[3]:-}"
echo 'the scale is the double 2'
expect 'netCDF4' '60000 40000 4 6' "${seen[4]:-}"
expect 'xarray' '60000 40000 4 6' "${seen[5]:-}"
expect 'CDO' '60000 40000 4 6' "${seen[6]:-}"
expect 'NCO' '60000 40000 4 6' "${seen[7]:-}"
finish

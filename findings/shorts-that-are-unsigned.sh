#!/usr/bin/env bash
# CDO 2.1.1, NCO 5.1.4, netCDF4 1.6.2 and xarray 2023.01.0 (Debian 12): whether 65535 in a file is 65535 or -1 depends on the reader and on the width.
#
# Files of the classic formats have no unsigned integers; by the NetCDF User's Guide (Attribute Conventions, "_Unsigned") an attribute says that a signed
# type means unsigned. netCDF4 and xarray heed it for all widths. CDO heeds it for bytes and not for shorts, and then takes no notice of a fill value
# that is stored as -1: a missing byte is 255, and the maximum. NCO does not heed it: minima and maxima are those of signed numbers.
. "$(dirname "$0")/packages.bash"
debian cdo=2.1.1-1+deb12u1 nco=5.1.4-1+deb12u1 python3-netcdf4=1.6.2-1+b1 python3-xarray=2023.01.0-1.1 python3-pandas=1.5.3+dfsg-2 python3-pandas-lib=1.5.3+dfsg-2 \
  python3-numpy=1:1.24.2-1+deb12u1
export LD_LIBRARY_PATH="$TEMP/root/usr/lib/nco:$LD_LIBRARY_PATH"
cat > "$TEMP/look.py" <<'PY'
import subprocess
import netCDF4
import numpy
import xarray

def write(cell_type, cells, fill=None):
    with netCDF4.Dataset("in.nc", "w", format="NETCDF3_CLASSIC") as file:
        for name, units in (("lat", "degrees_north"), ("lon", "degrees_east")):
            file.createDimension(name, 2)
            variable = file.createVariable(name, "f8", (name,))
            variable.units = units
            variable[:] = [0, 1]
        variable = file.createVariable("u", cell_type, ("lat", "lon"), fill_value=fill)
        variable.set_auto_maskandscale(False)
        variable.setncattr("_Unsigned", "true")
        variable[:] = numpy.reshape(cells, (2, 2))

def cdo(*operators):
    return subprocess.run(["cdo", "-s", "outputf,%g,1", *operators, "in.nc"], check=True, capture_output=True, text=True).stdout.split()

def nco(operation):
    subprocess.run(["ncwa", "-O", "-a", "lat,lon", "-y", operation, "in.nc", "out.nc"], check=True)
    with netCDF4.Dataset("out.nc") as file:
        file.set_auto_maskandscale(False)
        return file["u"][...].item()

for cell_type, cells, fill in (("i1", [1, -1, -2, 100], None), ("i2", [1, -1, -2, 100], None), ("i1", [1, -1, -2, 100], -1)):
    write(cell_type, cells, fill)
    with netCDF4.Dataset("in.nc") as file:
        print(*file["u"][:].ravel(), "up to", file["u"][:].max())
    with xarray.open_dataset("in.nc") as file:
        print(*["%g" % cell for cell in file["u"].values.ravel()], "up to %g" % file["u"].max())
    print(*cdo(), "up to", *cdo("-fldmax"))
    print(nco("min"), "up to", nco("max"))
PY
readarray -t seen < <(cd "$TEMP" && python look.py)
for index in 0 1 2; do
  case $index in
    0) echo 'bytes 1 -1 -2 100'; wanted=('1 255 254 100 up to 255' '1 255 254 100 up to 255' '1 255 254 100 up to 255') ;;
    1) echo 'shorts 1 -1 -2 100'; wanted=('1 65535 65534 100 up to 65535' '1 65535 65534 100 up to 65535' '1 -1 -2 100 up to 100') ;;
    2) echo 'bytes 1 -1 -2 100, -1 is missing'; wanted=('1 -- 254 100 up to 254' '1 nan 254 100 up to 254' '1 255 254 100 up to 255') ;;
  esac
  expect 'netCDF4' "${wanted[0]}" "${seen[4 * index]:-}"
  expect 'xarray' "${wanted[1]}" "${seen[4 * index + 1]:-}"
  expect 'CDO' "${wanted[2]}" "${seen[4 * index + 2]:-}"
  expect 'NCO, least and greatest' '-2 up to 100' "${seen[4 * index + 3]:-}"
done
finish

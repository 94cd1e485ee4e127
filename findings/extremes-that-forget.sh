#!/usr/bin/env bash
# CDO 2.1.1, NCO 5.1.4 and SciPy 1.10.1 (Debian 12): maxima and minima over cells with a NaN are those of the cells behind it, or in front of it.
#
# Where NaN is no missing value of the file, one would expect NaN, as of means and sums, or the extreme of the others: CDO's manual has the maximum of
# all time steps, and SciPy 1.10.1 says nothing of NaN. CDO's timmax and timmin begin again behind a NaN, and so does fldmin, where fldmax does not.
# NCO leaves NaN out, but not as the first cell: then it is NaN. SciPy's maximum_filter1d drops numbers for a NaN that stands in front of them in a
# window, and does not take them back: windows without a NaN have another maximum. With NaN as the missing value, CDO is right.
. "$(dirname "$0")/packages.bash"
debian cdo=2.1.1-1+deb12u1 nco=5.1.4-1+deb12u1 python3-netcdf4=1.6.2-1+b1 python3-scipy=1.10.1-2 python3-numpy=1:1.24.2-1+deb12u1
export LD_LIBRARY_PATH="$TEMP/root/usr/lib/nco:$LD_LIBRARY_PATH"
cat > "$TEMP/look.py" <<'PY'
import subprocess
import sys
import netCDF4
import numpy
import scipy.ndimage

def write(name, cells, along, fill=None):
    with netCDF4.Dataset(name, "w") as file:
        for dimension in ("time", "lat", "lon"):
            size = len(cells) if dimension == along else 1
            file.createDimension(dimension, None if dimension == "time" else size)
            variable = file.createVariable(dimension, "f8", (dimension,))
            variable.units = {"time": "days since 2000-01-01", "lat": "degrees_north", "lon": "degrees_east"}[dimension]
            variable[:] = numpy.arange(size)
        variable = file.createVariable("u", "f8", ("time", "lat", "lon"), fill_value=fill)
        variable.set_auto_mask(False)
        variable[:] = numpy.reshape(cells, (len(cells), 1, 1) if along == "time" else (1, 1, len(cells)))

def run(*command):
    subprocess.run([*command, "in.nc", "out.nc"], check=True)
    with netCDF4.Dataset("out.nc") as file:
        file.set_auto_mask(False)
        return "%g" % file["u"][:].ravel()[0]

for cells, fill in (([9, 1, numpy.nan, 3, 4], None), ([numpy.nan, 9, 1, 3, 4], None), ([9, 1, numpy.nan, 3, 4], numpy.nan)):
    write("in.nc", cells, "time", fill)
    print(*[run("cdo", "-s", operator) for operator in ("timmax", "timmin", "timmean")])
    print(*[run("ncra", "-O", "-y", operator) for operator in ("max", "min", "avg")])
    write("in.nc", cells, "lon", fill)
    print(*[run("cdo", "-s", operator) for operator in ("fldmax", "fldmin")])
cells = numpy.array([7, 3, 0, 1, 8, 2, numpy.nan, 6, 1, 2, 0, 2])
print("%g" % cells[7:12].max(), "%g" % scipy.ndimage.maximum_filter1d(cells, 5)[9])
PY
readarray -t seen < <(cd "$TEMP" && python look.py)
expect 'CDO, 9 1 NaN 3 4 in time: maximum, minimum, mean' '4 3 nan' "${seen[0]:-}"
expect 'NCO' '9 1 nan' "${seen[1]:-}"
expect 'CDO, 9 1 NaN 3 4 along longitude: maximum, minimum' '9 3' "${seen[2]:-}"
expect 'CDO, NaN 9 1 3 4 in time' '9 1 nan' "${seen[3]:-}"
expect 'NCO' 'nan nan nan' "${seen[4]:-}"
expect 'CDO, NaN 9 1 3 4 along longitude' '9 1' "${seen[5]:-}"
expect 'CDO, 9 1 NaN 3 4 in time, NaN is missing' '9 1 4.25' "${seen[6]:-}"
expect 'NCO' '9 1 nan' "${seen[7]:-}"
expect 'CDO, 9 1 NaN 3 4 along longitude, NaN is missing' '9 1' "${seen[8]:-}"
expect 'NumPy and SciPy, the maximum of 6 1 2 0 2' '6 2' "${seen[9]:-}"
finish

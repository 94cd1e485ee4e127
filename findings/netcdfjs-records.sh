#!/usr/bin/env bash
# netcdfjs 4.0.0 (npm): variables along the unlimited dimension come with their padding among the cells, and bytes come without their sign.
#
# A record of a NetCDF-3 file is padded to a multiple of four bytes for each variable, but for one variable alone of a short type. netcdfjs takes the
# padded size for the number of cells: 4 records of 3 shorts are 16 numbers, and every row after the first is moved. Where the variable is alone, and
# has no padding, it reads beyond the records: other numbers, or an error where the file ends before them. NC_BYTE is signed by the format.
. "$(dirname "$0")/packages.bash"
debian python3-netcdf4=1.6.2-1+b1 python3-numpy=1:1.24.2-1+deb12u1
npm_packages netcdfjs@4.0.0
cat > "$TEMP/make.py" <<'PY'
import sys
import netCDF4
import numpy

for name, types in (("both", ("i2", "f8")), ("alone", ("i2",)), ("byte", ("i1",))):
    with netCDF4.Dataset(sys.argv[1] + "/" + name + ".nc", "w", format="NETCDF3_CLASSIC") as file:
        file.createDimension("time", 4 if name == "byte" else None)
        file.createDimension("x", 3)
        for type in types:
            variable = file.createVariable(type, type, ("time", "x"))
            variable[:] = numpy.arange(12).reshape(4, 3) - (6 if name == "byte" else 0)
    with netCDF4.Dataset(sys.argv[1] + "/" + name + ".nc") as file:
        print(*file[types[0]][:].flat)
PY
cat > "$TEMP/look.mjs" <<'JS'
import { readFileSync } from "node:fs";
import { NetCDFReader } from "netcdfjs";

for (const [name, variable] of [["both", "i2"], ["both", "f8"], ["alone", "i2"], ["byte", "i1"]]) {
  try {
    console.log(...new NetCDFReader(readFileSync(name + ".nc")).getDataVariable(variable).flat(2));
  } catch (e) {
    console.log(e.message);
  }
}
JS
readarray -t netcdf4 < <(python "$TEMP/make.py" "$TEMP")
readarray -t netcdfjs < <(cd "$TEMP" && node look.mjs)
expect 'netCDF4, shorts beside doubles' '0 1 2 3 4 5 6 7 8 9 10 11' "${netcdf4[0]:-}"
expect 'netcdfjs, the shorts' '0 1 2 3 3 4 5 6 6 7 8 9 9 10 11 0' "${netcdfjs[0]:-}"
expect 'netcdfjs, the doubles' '0 1 2 3 4 5 6 7 8 9 10 11' "${netcdfjs[1]:-}"
expect 'netCDF4, shorts alone' '0 1 2 3 4 5 6 7 8 9 10 11' "${netcdf4[1]:-}"
expect 'netcdfjs' 'Offset is outside the bounds of the DataView' "${netcdfjs[2]:-}"
expect 'netCDF4, bytes of a fixed size' '-6 -5 -4 -3 -2 -1 0 1 2 3 4 5' "${netcdf4[2]:-}"
expect 'netcdfjs' '250 251 252 253 254 255 0 1 2 3 4 5' "${netcdfjs[3]:-}"
finish

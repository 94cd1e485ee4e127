#!/usr/bin/env bash
# netCDF-C 4.9.0 (Debian 12): NCZarr writes attributes that are no JSON, and loses the value of missing cells.
#
# A float variable whose _FillValue is NaN gets a bare NaN in .zattrs. RFC 8259 has no such number, so that strict readers of JSON refuse
# the whole array. nccopy from a NetCDF file also writes "fill_value": null into .zarray, although the variable has a _FillValue: a
# reader that knows Zarr alone, and not netCDF's attributes, takes missing cells for values.
. "$(dirname "$0")/packages.bash"
debian netcdf-bin=1:4.9.0-3+b1
cat > "$TEMP/a.cdl" <<'CDL'
netcdf a {
dimensions: x = 3 ;
variables:
  float t(x) ; t:_FillValue = NaNf ;
  float s(x) ; s:_FillValue = -999.f ;
data:
  t = 1, NaNf, 3 ;
  s = 1, -999, 3 ;
}
CDL
ncgen -4 -o "$TEMP/a.nc" "$TEMP/a.cdl"
(cd "$TEMP" && nccopy a.nc "file://$TEMP/a.zarr#mode=nczarr,file")
expect 'version' '4.9.0' "$(ncdump 2>&1 | sed -n 's/.*library version \([0-9.]*\).*/\1/p')"
strict='import sys, json
def no(x): raise ValueError(x)
try:
  json.load(open(sys.argv[1]), parse_constant=no); print("JSON")
except ValueError as e: print("not JSON:", e)'
expect 'attributes of t, whose _FillValue is NaN' 'not JSON: NaN' "$(python -c "$strict" "$TEMP/a.zarr/t/.zattrs")"
show='import sys, json; print(json.load(open(sys.argv[1]))[sys.argv[2]])'
expect '_FillValue among the attributes of s' '-999' "$(python -c "$show" "$TEMP/a.zarr/s/.zattrs" _FillValue)"
expect 'fill_value of the array s' 'None' "$(python -c "$show" "$TEMP/a.zarr/s/.zarray" fill_value)"
finish

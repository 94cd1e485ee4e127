#!/usr/bin/env bash
# xarray 2023.01.0 (Debian 12): a moving mean of booleans is a count, unless the array is in memory and Bottleneck is installed.
#
# The mean of a mask is the share of cells that are true, and so are mean(), coarsen().mean() and a rolling mean through Bottleneck. Without
# Bottleneck, and for arrays of Dask with it and without it, the rolling mean is not divided by the size of the window: 2 of 3 is 2. The documentation
# says of use_bottleneck that it makes operations faster. Numbers in place of booleans are right in all ways.
. "$(dirname "$0")/packages.bash"
debian python3-xarray=2023.01.0-1.1 python3-bottleneck=1.3.5+ds1-2+b1 python3-dask=2022.12.1+dfsg-2 python3-pandas=1.5.3+dfsg-2 \
  python3-pandas-lib=1.5.3+dfsg-2 python3-numpy=1:1.24.2-1+deb12u1
cat > "$TEMP/look.py" <<'PY'
import bottleneck
import xarray

mask = xarray.DataArray([True, True, False, True, True, True], dims="x")

def show(array):
    print(*["%.2f" % cell for cell in array.values])

show(mask.coarsen(x=3).mean())
show(mask.rolling(x=3).mean())
show(mask.chunk({"x": 4}).rolling(x=3).mean())
with xarray.set_options(use_bottleneck=False):
    show(mask.rolling(x=3).mean())
    show(mask.astype("f8").rolling(x=3).mean())
PY
readarray -t seen < <(python "$TEMP/look.py")
expect 'means of blocks' '0.67 1.00' "${seen[0]:-}"
expect 'moving means, in memory, with Bottleneck' 'nan nan 0.67 0.67 0.67 1.00' "${seen[1]:-}"
expect 'moving means, of Dask, with Bottleneck' 'nan nan 2.00 2.00 2.00 3.00' "${seen[2]:-}"
expect 'moving means, in memory, without it' 'nan nan 2.00 2.00 2.00 3.00' "${seen[3]:-}"
expect 'moving means of the same as numbers' 'nan nan 0.67 0.67 0.67 1.00' "${seen[4]:-}"
finish

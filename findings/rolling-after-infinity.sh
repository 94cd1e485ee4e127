#!/usr/bin/env bash
# pandas 1.5.3, xarray 2023.01.0, Bottleneck 1.3.5 (Debian 12): three meanings of a moving sum over an infinite value.
#
# pandas replaces infinities by NaN before it rolls, so that windows over one are NaN, not infinite, and windows after it are right.
# xarray's rolling sum through Bottleneck adds the new value and takes away the old one: infinity minus infinity leaves NaN for ever.
# The same call without Bottleneck installed, by strides, gives what a fresh sum of each window gives.
. "$(dirname "$0")/packages.bash"
debian python3-pandas=1.5.3+dfsg-2 python3-pandas-lib=1.5.3+dfsg-2 python3-xarray=2023.01.0-1.1 python3-bottleneck=1.3.5+ds1-2+b1
cat > "$TEMP/look.py" <<'PY'
import numpy as np, pandas as pd, xarray as xr, bottleneck
values = [1.0, np.inf, 2.0, 3.0, 4.0]
print(pd.__version__, bottleneck.__version__)
print(pd.Series(values).rolling(2).sum().tolist())
array = xr.DataArray(values, dims="x")
print(array.rolling(x=2).sum().values.tolist())
with xr.set_options(use_bottleneck=False):
    print(array.rolling(x=2).sum().values.tolist())
PY
readarray -t lines < <(python "$TEMP/look.py")
expect 'versions' '1.5.3 1.3.5' "${lines[0]}"
expect 'pandas' '[nan, nan, nan, 5.0, 7.0]' "${lines[1]}"
expect 'xarray, with Bottleneck' '[nan, inf, inf, nan, nan]' "${lines[2]}"
expect 'xarray, without it' '[nan, inf, inf, 5.0, 7.0]' "${lines[3]}"
finish

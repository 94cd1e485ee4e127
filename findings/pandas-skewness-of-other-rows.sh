#!/usr/bin/env bash
# pandas 1.5.3 (Debian 12): moving skewness and kurtosis depend on rows that are in no window yet, and one large cell at the end spoils a whole column.
#
# By pandas' reference, rolling(4).skew() is the skewness of four rows. Before it begins, pandas takes the rounded mean of the whole column from all cells,
# so that one 100000 in the last of 16 rows shifts the others by 6250, and third and fourth powers of that eat what they differ by. Of four rows skewness is 2
# and kurtosis 4 at most; pandas has -166 and 77630. Variances are right. The same rows have other results in a longer column, or in a part of it.
. "$(dirname "$0")/packages.bash"
debian python3-pandas=1.5.3+dfsg-2 python3-pandas-lib=1.5.3+dfsg-2 python3-numpy=1:1.24.2-1+deb12u1
cat > "$TEMP/look.py" <<'PY'
import pandas

def show(results):
    print(*["%.3f" % (round(result, 3) + 0) for result in results])

cells = [0.1, 0.2, 0.4, 0.1, 0.3] * 3
for operation in ("skew", "kurt", "var"):
    show(getattr(pandas.Series(cells[row - 3:row + 1]), operation)() for row in range(3, 8))
    for last in (0.5, 1e5, 1e6):
        show(getattr(pandas.Series(cells + [last]).rolling(4), operation)()[3:8])
PY
readarray -t seen < <(python "$TEMP/look.py")
echo 'Rows 4 to 8 of 16 rows, by the last row'
expect 'skewness, each window by itself' '1.414 0.000 0.370 0.855 0.000' "${seen[0]:-}"
expect 'moving skewness, 0.5 at the end' '1.414 0.000 0.370 0.855 0.000' "${seen[1]:-}"
expect 'moving skewness, 100000' '1.423 0.100 0.338 0.953 0.100' "${seen[2]:-}"
expect 'moving skewness, 1000000' '-2.625 -55.943 51.816 -165.956 -17.212' "${seen[3]:-}"
expect 'kurtosis, each window by itself' '1.500 -1.200 -3.901 -1.289 -1.200' "${seen[4]:-}"
expect 'moving kurtosis, 0.5 at the end' '1.500 -1.200 -3.901 -1.289 -1.200' "${seen[5]:-}"
expect 'moving kurtosis, 100000' '2855.263 56582.107 -23438.025 77629.812 56582.107' "${seen[6]:-}"
expect 'variance, each window by itself' '0.020 0.017 0.023 0.009 0.017' "${seen[8]:-}"
expect 'moving variance, 1000000 at the end' '0.020 0.017 0.023 0.009 0.017' "${seen[11]:-}"
finish

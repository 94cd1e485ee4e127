# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Compares what a guide has written with NumPy, pandas and GDAL: peers.py PAGE FOLDER

PAGE is a guide, whose blocks of Python are run as they stand there, and FOLDER is where its commands wrote; tables
of the guide of sensors are there as CSV, NAME.csv/part-*. Prints a line for each comparison; exits with 1 if one
fails, and with 3 if there is no peer to compare with.
"""

import glob
import re
import shutil
import subprocess
import sys
from pathlib import Path

try:
    import numpy
except ImportError:
    sys.exit(3)

page, folder = Path(sys.argv[1]), Path(sys.argv[2])
failed = False


def block(name, without="no line", **given):
    """Runs the block of Python below a heading, without lines that begin so, and returns its names."""
    code = re.search(r"## " + name + r"\n.*?```python\n(.*?)```", page.read_text(), re.S).group(1)
    names = {"numpy": numpy, **given}
    exec("\n".join(line for line in code.splitlines() if not line.startswith(without)), names)
    return names


def compare(what, ours, theirs, most):
    global failed
    differ = float(numpy.max(numpy.abs(numpy.asarray(ours, float) - numpy.asarray(theirs, float))))
    good = numpy.shape(ours) == numpy.shape(theirs) and differ <= most
    failed = failed or not good
    print(f"{'same' if good else 'OTHER'}: {what}, {numpy.size(ours)} values, at most {differ:.3g} apart, of {most:.3g}")


def room():
    """Nothing is rounded otherwise: both add the same numbers in the same order."""
    compare("room.npy, NumPy", numpy.load(folder / "room.npy"), block("The same in NumPy")["u"], 0)


def elevation():
    z = numpy.load(folder / "hills.npy")
    slope = numpy.load(folder / "slope.npy")
    compare("slope.npy, NumPy", slope, block("The same in NumPy", z=z)["slope"], 0)
    if shutil.which("gdaldem") is None:
        print("no gdaldem here")
        return
    z.astype("f4").tofile(folder / "hills.bin")
    header = ["ENVI", f"samples = {z.shape[1]}", f"lines = {z.shape[0]}", "bands = 1", "data type = 4"]
    header += ["interleave = bsq", "byte order = 0", "map info = {UTM, 1, 1, 500000, 4000000, 30, 30, 33, North}"]
    (folder / "hills.hdr").write_text("\n".join(header) + "\n")
    command = ["gdaldem", "slope", "-q", "-p", "-s", "1", "-of", "ENVI", folder / "hills.bin", folder / "percent.bin"]
    subprocess.run(command, check=True)
    percent = numpy.fromfile(folder / "percent.bin", "f4").reshape(z.shape)
    inner = (slice(1, -1), slice(1, -1))  # gdaldem has nothing at the edge
    # Eight cells and as many sums of them are rounded to float, for each of two axes.
    rounded = 100 * 2**0.5 * 16 * z.max() * 2.0**-24 / (8 * 30)
    compare("slope.npy, gdaldem", 100 * slope[inner], percent[inner], rounded)


def sensors():
    try:
        import pandas
    except ImportError:
        sys.exit(3)

    def table(name):
        parts = [pandas.read_csv(each, parse_dates=["t"]) for each in glob.glob(str(folder / f"{name}.csv" / "*.csv"))]
        rows = pandas.concat(parts)
        rows["t"] = rows.t.dt.tz_localize(None)
        return rows.sort_values(["station", "t"]).reset_index(drop=True)

    raw = table("readings")
    once = raw.groupby(["station", "t"], as_index=False).v.mean()
    series = once.set_index("t").groupby("station").v

    hour = table("hour")
    page_hour = block("The same in pandas", without="d = pandas.read_parquet", d=once)["hour"]
    compare("rows of the hour, pandas", [len(hour)], [len(once)], 0)
    compare("means of the hour, pandas", hour.v_mean, page_hour.to_numpy(), 1e-9)
    compare("numbers of values, pandas", hour.v_count, series.rolling("60min").count().to_numpy(), 0)

    steps = table("steps")
    lines, means = [], []
    for _, one in once.set_index("t").groupby("station"):
        line = one.v.resample("10min").mean().interpolate()
        lines.append(line)
        means.append(line.rolling(7, center=True, min_periods=1).mean())
    compare("lines over gaps, pandas", steps.v, numpy.concatenate(lines), 1e-9)
    compare("means of the lines, pandas", steps.v_mean, numpy.concatenate(means), 1e-9)

    scores = table("scores")
    found = []
    for _, one in once.set_index("t").groupby("station"):
        wide = one.v.rolling("1h", center=True, closed="both")
        found.append((one.v - wide.mean()) / wide.std())
    theirs = numpy.concatenate(found)
    there = ~numpy.isnan(theirs)
    compare("zscores that are there, pandas", scores.v_zscore.notna(), there, 0)
    compare("zscores, pandas", scores.v_zscore[there], theirs[there], 1e-6)


{"guide-room.md": room, "guide-elevation.md": elevation, "guide-sensors.md": sensors}[page.name]()
sys.exit(1 if failed else 0)

#!/usr/bin/env bash
# Apache Commons Imaging 1.0.0-alpha6: of rasters of floats with several bands, bands are read as zeros or as other numbers, without an error.
#
# getRasterData gives the numbers of TIFFs of floats, with any number of samples, in strips and tiles, and with the predictor for floats. Of bands that
# lie one after the other (TIFF 6.0, "PlanarConfiguration" 2) in Deflate, all after the first are zeros. Of bands that lie cell by cell, the predictor
# is undone as if there were one band: differences are to the byte of the same band (Adobe Photoshop TIFF Technical Note 3). One band with the
# predictor, and two without it, are right.
. "$(dirname "$0")/packages.bash"
debian python3-gdal=3.6.2+dfsg-1+b2 python3-numpy=1:1.24.2-1+deb12u1
maven org.apache.commons:commons-imaging:1.0.0-alpha6
cat > "$TEMP/make.py" <<'PY'
import sys
import numpy
from osgeo import gdal

gdal.UseExceptions()
for name, bands, options in (
    ("one", 1, ["PREDICTOR=3"]),
    ("cells", 2, ["INTERLEAVE=PIXEL"]),
    ("predictor", 2, ["INTERLEAVE=PIXEL", "PREDICTOR=3"]),
    ("planes", 2, ["INTERLEAVE=BAND"]),
):
    path = sys.argv[1] + "/" + name + ".tif"
    file = gdal.GetDriverByName("GTiff").Create(path, 4, 3, bands, gdal.GDT_Float32, ["COMPRESS=DEFLATE", *options])
    for band in range(bands):
        file.GetRasterBand(band + 1).WriteArray(numpy.arange(12, dtype="f4").reshape(3, 4) + 100 * band + 1)
    file = None
    print(*gdal.Open(path).ReadAsArray().reshape(bands, 3, 4)[:, 0].ravel())
PY
cat > "$TEMP/Look.java" <<'JAVA'
import java.nio.file.Path;
import org.apache.commons.imaging.FormatCompliance;
import org.apache.commons.imaging.bytesource.ByteSource;
import org.apache.commons.imaging.formats.tiff.TiffReader;

public class Look {
  public static void main(String[] args) throws Exception {
    for (String name : new String[] {"one", "cells", "predictor", "planes"}) {
      ByteSource source = ByteSource.path(Path.of(args[0], name + ".tif"));
      var cells = new TiffReader(true).readDirectories(source, true, FormatCompliance.getDefault()).directories.get(0).getRasterData(null);
      StringBuilder line = new StringBuilder();
      for (int band = 0; band < cells.getSamplesPerPixel(); band++) {
        for (int x = 0; x < 4; x++) {
          line.append(cells.getValue(x, 0, band)).append(' ');
        }
      }
      System.out.println(line.toString().strip());
    }
  }
}
JAVA
readarray -t gdal < <(python "$TEMP/make.py" "$TEMP")
readarray -t commons < <(java_file "$TEMP/Look.java" "$TEMP")
expect 'GDAL, one band, predictor for floats' '1.0 2.0 3.0 4.0' "${gdal[0]:-}"
expect 'Commons Imaging' '1.0 2.0 3.0 4.0' "${commons[0]:-}"
expect 'GDAL, two bands, cell by cell' '1.0 2.0 3.0 4.0 101.0 102.0 103.0 104.0' "${gdal[1]:-}"
expect 'Commons Imaging' '1.0 2.0 3.0 4.0 101.0 102.0 103.0 104.0' "${commons[1]:-}"
expect 'GDAL, the same with the predictor' '1.0 2.0 3.0 4.0 101.0 102.0 103.0 104.0' "${gdal[2]:-}"
expect 'Commons Imaging' \
  '1.5219727 -2.9681232E-37 7.088867 -2.1452772E-37 -3.710154E-38 -2.9975106E-37 -1.7779352E-37 -2.1746645E-37' "${commons[2]:-}"
expect 'GDAL, two bands, one after the other' '1.0 2.0 3.0 4.0 101.0 102.0 103.0 104.0' "${gdal[3]:-}"
expect 'Commons Imaging' '1.0 2.0 3.0 4.0 0.0 0.0 0.0 0.0' "${commons[3]:-}"
finish

#!/usr/bin/env bash
# Apache SIS 1.6 with files of GDAL 3.6.2 (Debian 12): floating-point rasters with PREDICTOR=2 are read wrongly, without an error.
#
# Horizontal differencing (predictor 2) is applied by libtiff to floats as to integers of their width: the differences are of bit patterns.
# SIS adds them up as numbers. The first column is right, so that a look at a corner does not show it. (Predictor 3, which is meant for
# floats, it refuses by an exception.)
. "$(dirname "$0")/packages.bash"
debian gdal-bin=3.6.2+dfsg-1+b2
maven org.apache.sis.storage:sis-geotiff:1.6
{
  printf 'ncols 6\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n'
  printf '1.5 2.5 3.25 4.75 5.5 6.125\n7.5 8.5 9.25 10.75 11.5 12.125\n'
} > "$TEMP/a.asc"
for predictor in 1 2; do
  gdal_translate -q -ot Float32 -co COMPRESS=DEFLATE -co PREDICTOR=$predictor "$TEMP/a.asc" "$TEMP/$predictor.tif"
done
cat > "$TEMP/Look.java" <<'JAVA'
import java.awt.image.Raster;
import java.io.File;
import java.util.Arrays;
import org.apache.sis.storage.Aggregate;
import org.apache.sis.storage.DataStore;
import org.apache.sis.storage.DataStores;
import org.apache.sis.storage.GridCoverageResource;
import org.apache.sis.storage.Resource;

public class Look {
  public static void main(String[] args) throws Exception {
    for (String file : args) {
      try (DataStore store = DataStores.open(new File(file))) {
        Resource first = store instanceof Aggregate all ? all.components().iterator().next() : store;
        Raster cells = ((GridCoverageResource) first).read(null).render(null).getData();
        System.out.println(Arrays.toString(cells.getSamples(0, 0, 6, 1, 0, (float[]) null)));
      }
    }
  }
}
JAVA
row='[1.5, 2.5, 3.25, 4.75, 5.5, 6.125]'
expect 'GDAL reads its own predictor 2' '1.5 2.5 3.25 4.75 5.5 6.125' "$(gdal_translate -q -of AAIGrid "$TEMP/2.tif" "$TEMP/b.asc" && sed -n '6s/^ *//p' "$TEMP/b.asc" | sed 's/\(\.[0-9]*[1-9]\)0* /\1 /g')"
readarray -t lines < <(java_file "$TEMP/Look.java" "$TEMP/1.tif" "$TEMP/2.tif")
expect 'SIS, predictor 1' "$row" "${lines[0]}"
expect 'SIS, predictor 2: the same row?' 'no' "$([ "${lines[1]}" = "$row" ] && echo yes || echo no)"
echo "    it reads ${lines[1]}"
finish

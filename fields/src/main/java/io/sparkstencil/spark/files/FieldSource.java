/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import java.io.Serializable;
import org.apache.hadoop.conf.Configuration;

/**
 * A field in a file, named so that each task can open a reader of its own.
 *
 * <pre>{@code
 * FieldSource wind = configuration -> FieldPaths.open("/shared/wind.zarr", configuration);
 * }</pre>
 */
@FunctionalInterface
public interface FieldSource extends Serializable {
  /**
   * Opens the field.
   *
   * @param hadoop the settings of file systems
   * @return a reader, which the caller closes
   * @throws FieldFileException if the file is missing, broken or of an unsupported kind
   */
  FieldReader open(Configuration hadoop);
}

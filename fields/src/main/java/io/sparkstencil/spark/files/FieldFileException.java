/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import java.io.IOException;

/**
 * Thrown when the file of a field is missing, broken or of an unsupported kind, or when its file
 * system fails. The message names the file, the problem, the value and the remedy.
 */
public final class FieldFileException extends StencilException {
  private static final long serialVersionUID = 1L;

  private FieldFileException(ErrorCode code, String message, Throwable cause) {
    super(code, message, cause);
  }

  /** Returns the failure of a call that names a wrong path, box or array. */
  public static FieldFileException wrongCall(String message) {
    return new FieldFileException(ErrorCode.INVALID_ARGUMENT, message, null);
  }

  /** Returns the failure of reading a file that is not as its format says. */
  public static FieldFileException broken(String message) {
    return new FieldFileException(ErrorCode.BAD_DATA, message, null);
  }

  /** Returns the failure of reading a file that is not as its format says, with the cause. */
  public static FieldFileException broken(String message, Throwable cause) {
    return new FieldFileException(ErrorCode.BAD_DATA, message, cause);
  }

  /** Returns the failure of reading a file that is valid, but of a kind that is not supported. */
  public static FieldFileException unsupported(String message) {
    return new FieldFileException(ErrorCode.UNSUPPORTED, message, null);
  }

  /** Returns the failure of a file system. */
  public static FieldFileException failed(String doing, Object path, IOException cause) {
    return new FieldFileException(
        ErrorCode.BAD_DATA,
        "%s %s failed: %s; check the path, its permissions and the file system"
            .formatted(doing, path, cause),
        cause);
  }
}

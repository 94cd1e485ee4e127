/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

import io.sparkstencil.model.ElementType;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The types of cells that programs compute in, as an option names them. */
public final class FloatingTypes implements ITypeConverter<ElementType>, Iterable<String> {
  private static final List<String> NAMES = List.of("f32", "f64");

  @Override
  public ElementType convert(String name) {
    if (!NAMES.contains(name.toLowerCase(Locale.ROOT))) {
      throw new TypeConversionException("no type of cells");
    }
    return ElementType.valueOf(name.toUpperCase(Locale.ROOT));
  }

  @Override
  public Iterator<String> iterator() {
    return NAMES.iterator();
  }
}

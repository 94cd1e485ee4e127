/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.io.Serializable;
import org.apache.hadoop.io.Writable;
import org.apache.spark.SerializableWritable;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;

/**
 * A value that travels by Java's serialization whatever serializer the session has. Kryo cannot
 * read and write records, and may know no class that is not registered; a {@link
 * SerializableWritable} it always knows, and leaves to Java.
 */
public final class Packed<T extends Serializable> implements Writable {
  private T value;

  /** For those who read one. */
  public Packed() {}

  private Packed(T value) {
    this.value = value;
  }

  /** Packs a value. */
  public static <T extends Serializable> SerializableWritable<Packed<T>> of(T value) {
    return new SerializableWritable<>(new Packed<>(value));
  }

  /** Returns the value; the same in each call. */
  public static <T extends Serializable> T open(SerializableWritable<Packed<T>> packed) {
    return packed.value().value;
  }

  /** Returns the type of packed values. */
  @SuppressWarnings("unchecked") // a class has no types
  public static <T extends Serializable> Class<SerializableWritable<Packed<T>>> type() {
    return (Class<SerializableWritable<Packed<T>>>) (Class<?>) SerializableWritable.class;
  }

  /** Returns packed elements, which executors keep when they are computed. */
  public static <T extends Serializable> JavaRDD<SerializableWritable<Packed<T>>> kept(
      JavaRDD<T> elements, StorageLevel where) {
    return elements.map(Packed::of).persist(where);
  }

  /** Writes the value to the stream of objects that Spark's class is written to. */
  @Override
  public void write(DataOutput out) throws IOException {
    ((ObjectOutput) out).writeObject(value);
  }

  @Override
  @SuppressWarnings("unchecked") // as it was written
  public void readFields(DataInput in) throws IOException {
    try {
      value = (T) ((ObjectInput) in).readObject();
    } catch (ClassNotFoundException e) {
      throw new IOException("a class of Spark Stencil is missing on this executor: " + e, e);
    }
  }
}

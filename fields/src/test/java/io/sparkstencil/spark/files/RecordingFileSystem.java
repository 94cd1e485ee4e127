/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.apache.hadoop.util.Progressable;

/** A file system that records what is forced to disk, and what is renamed. */
public final class RecordingFileSystem extends RawLocalFileSystem {
  static final List<String> EVENTS = new CopyOnWriteArrayList<>();

  @Override
  public URI getUri() {
    return URI.create("recording:///");
  }

  @Override
  public String getScheme() {
    return "recording";
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    return new FSDataOutputStream(
        new Forced(
            super.create(path, overwrite, bufferSize, replication, blockSize, progress),
            path.getName()),
        null);
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    EVENTS.add("renamed to " + to.getName());
    return super.rename(from, to);
  }

  private static final class Forced extends FilterOutputStream
      implements Syncable, StreamCapabilities {
    private final String name;

    Forced(OutputStream out, String name) {
      super(out);
      this.name = name;
    }

    @Override
    public boolean hasCapability(String capability) {
      return capability.equals(StreamCapabilities.HSYNC);
    }

    @Override
    public void hflush() throws IOException {
      flush();
    }

    @Override
    public void hsync() throws IOException {
      flush();
      EVENTS.add("forced " + name);
    }
  }
}

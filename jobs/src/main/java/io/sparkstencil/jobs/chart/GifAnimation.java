/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.chart;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;
import java.awt.image.IndexColorModel;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;

/**
 * Pictures of one size, one after the other, as a GIF that repeats forever. All frames share one
 * palette: the colours of a map, greys for text and lines, and the colour of missing values.
 */
public final class GifAnimation implements Closeable {
  private static final int PALETTE = 256;
  private static final String METADATA = "javax_imageio_gif_image_1.0";
  private static final byte[] FOREVER = {1, 0, 0};

  private final ImageWriter writer;
  private final ImageOutputStream stream;
  private final IndexColorModel palette;
  private final int delayHundredths;
  private final Map<Integer, Byte> nearest = new HashMap<>();

  /**
   * Begins a file, in place of one that exists.
   *
   * @param range of the values that frames show, which chooses the colours
   * @param framesPerSecond 1 to 50; GIF counts in hundredths of a second
   */
  public GifAnimation(Path file, ValueRange range, int framesPerSecond) throws IOException {
    this(file, range, FieldLook.AUTO, framesPerSecond);
  }

  /**
   * Begins a file, in place of one that exists.
   *
   * @param range of the values that frames show
   * @param look that of the frames
   * @param framesPerSecond 1 to 50; GIF counts in hundredths of a second
   */
  public GifAnimation(Path file, ValueRange range, FieldLook look, int framesPerSecond)
      throws IOException {
    palette = palette(look.colors(range), look.missingColor());
    delayHundredths = 100 / framesPerSecond;
    writer = ImageIO.getImageWritersByFormatName("gif").next();
    Files.deleteIfExists(file); // the stream would leave the end of a longer file
    stream = ImageIO.createImageOutputStream(file.toFile());
    if (stream == null) {
      throw new IOException("cannot write " + file);
    }
    writer.setOutput(stream);
    writer.prepareWriteSequence(null);
  }

  private static IndexColorModel palette(ColorMap colors, Color missing) {
    int[] rgb = new int[PALETTE];
    for (int level = 0; level < ColorMap.LEVELS; level++) {
      rgb[level] = colors.rgb(level);
    }
    int greys = PALETTE - ColorMap.LEVELS - 1;
    for (int i = 0; i < greys; i++) {
      rgb[ColorMap.LEVELS + i] = 0x010101 * (255 * i / (greys - 1));
    }
    rgb[PALETTE - 1] = missing.getRGB();
    byte[][] parts = new byte[3][PALETTE];
    for (int i = 0; i < PALETTE; i++) {
      for (int part = 0; part < parts.length; part++) {
        parts[part][i] = (byte) (rgb[i] >> (16 - 8 * part));
      }
    }
    return new IndexColorModel(8, PALETTE, parts[0], parts[1], parts[2]);
  }

  /**
   * Appends a chart of maps.
   *
   * @param longest the most pixels along the longer axis of its maps
   */
  public void add(FieldChart chart, int longest) throws IOException {
    add(chart.image(longest));
  }

  /** Appends a chart of curves. */
  public void add(SeriesChart chart) throws IOException {
    add(chart.image());
  }

  /** Appends a frame. */
  void add(BufferedImage frame) throws IOException {
    int width = frame.getWidth();
    int height = frame.getHeight();
    BufferedImage indexed =
        new BufferedImage(width, height, BufferedImage.TYPE_BYTE_INDEXED, palette);
    byte[] indices = ((DataBufferByte) indexed.getRaster().getDataBuffer()).getData();
    int[] colors = frame.getRGB(0, 0, width, height, null, 0, width);
    for (int i = 0; i < colors.length; i++) {
      indices[i] = nearest.computeIfAbsent(colors[i], this::nearest);
    }
    writer.writeToSequence(new IIOImage(indexed, null, metadata(indexed)), null);
  }

  private byte nearest(int color) {
    int best = 0;
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < PALETTE; i++) {
      int distance = 0;
      for (int shift = 0; shift <= 16; shift += 8) {
        int difference = (color >> shift & 0xff) - (palette.getRGB(i) >> shift & 0xff);
        distance += difference * difference;
      }
      if (distance < least) {
        least = distance;
        best = i;
      }
    }
    return (byte) best;
  }

  private IIOMetadata metadata(BufferedImage image) throws IOException {
    IIOMetadata metadata = writer.getDefaultImageMetadata(new ImageTypeSpecifier(image), null);
    IIOMetadataNode root = new IIOMetadataNode(METADATA);
    IIOMetadataNode control = new IIOMetadataNode("GraphicControlExtension");
    control.setAttribute("disposalMethod", "none");
    control.setAttribute("userInputFlag", "FALSE");
    control.setAttribute("transparentColorFlag", "FALSE");
    control.setAttribute("transparentColorIndex", "0");
    control.setAttribute("delayTime", Integer.toString(delayHundredths));
    root.appendChild(control);
    IIOMetadataNode loop = new IIOMetadataNode("ApplicationExtension");
    loop.setAttribute("applicationID", "NETSCAPE");
    loop.setAttribute("authenticationCode", "2.0");
    loop.setUserObject(FOREVER.clone());
    IIOMetadataNode extensions = new IIOMetadataNode("ApplicationExtensions");
    extensions.appendChild(loop);
    root.appendChild(extensions);
    metadata.mergeTree(METADATA, root);
    return metadata;
  }

  /** Ends the file, which must have a frame. */
  @Override
  public void close() throws IOException {
    try {
      writer.endWriteSequence();
    } finally {
      writer.dispose();
      stream.close();
    }
  }
}

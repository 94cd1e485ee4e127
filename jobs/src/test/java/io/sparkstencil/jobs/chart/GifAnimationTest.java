/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

final class GifAnimationTest {
  private static final double[] VALUES = {0, 0.5, 1, Double.NaN};

  @TempDir private Path folder;

  @Test
  void keepsEveryColourOfEveryFrame() throws IOException {
    Path file = write(3);

    ImageReader reader = open(file);
    assertThat(reader.getNumImages(true)).isEqualTo(3);
    for (int frame = 0; frame < 3; frame++) {
      BufferedImage expected = frame(frame);
      BufferedImage read = reader.read(frame);
      for (int column = 0; column < 4; column++) {
        int x = 60 + 25 * column + 12;
        assertThat(read.getRGB(x, 70)).isEqualTo(expected.getRGB(x, 70));
      }
      assertThat(read.getRGB(0, 0)).isEqualTo(0xffffffff);
    }
    reader.dispose();
  }

  @Test
  void repeatsForeverWithOnePaletteForAllFrames() throws IOException {
    ImageReader reader = open(write(2));

    for (int frame = 0; frame < 2; frame++) {
      IIOMetadataNode metadata =
          (IIOMetadataNode) reader.getImageMetadata(frame).getAsTree("javax_imageio_gif_image_1.0");
      assertThat(only(metadata, "GraphicControlExtension").getAttribute("delayTime"))
          .isEqualTo("5");
      assertThat(metadata.getElementsByTagName("LocalColorTable").getLength()).isZero();
      IIOMetadataNode loop = (IIOMetadataNode) only(metadata, "ApplicationExtension");
      assertThat(loop.getAttribute("applicationID")).isEqualTo("NETSCAPE");
      assertThat((byte[]) loop.getUserObject()).containsExactly(1, 0, 0);
    }
    IIOMetadataNode whole =
        (IIOMetadataNode) reader.getStreamMetadata().getAsTree("javax_imageio_gif_stream_1.0");
    assertThat(only(whole, "GlobalColorTable").getAttribute("sizeOfGlobalColorTable"))
        .isEqualTo("256");
    reader.dispose();
  }

  @Test
  void replacesALongerFile() throws IOException {
    byte[] once = Files.readAllBytes(write(1));
    write(5);

    assertThat(write(1)).hasBinaryContent(once);
  }

  private static Element only(Element parent, String name) {
    assertThat(parent.getElementsByTagName(name).getLength()).isEqualTo(1);
    return (Element) parent.getElementsByTagName(name).item(0);
  }

  private Path write(int frames) throws IOException {
    Path file = folder.resolve("moving.gif");
    try (GifAnimation animation = new GifAnimation(file, new ValueRange(0, 1), 20)) {
      for (int frame = 0; frame < frames; frame++) {
        animation.add(frame(frame));
      }
    }
    return file;
  }

  private static BufferedImage frame(int shift) {
    double[] values = new double[VALUES.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = VALUES[(i + shift) % VALUES.length];
    }
    FieldMap map = FieldMap.ofCells("", "x", "y", 1, values.length, values);
    return FieldChart.of("step " + shift, "u", List.of(map)).image(100);
  }

  private static ImageReader open(Path file) throws IOException {
    ImageInputStream stream = ImageIO.createImageInputStream(file.toFile());
    ImageReader reader = ImageIO.getImageReaders(stream).next();
    reader.setInput(stream);
    return reader;
  }
}

#!/usr/bin/env bash
# FFmpeg 5.1.9: pictures that are their own mirror image are not after a convolution of 3 by 3, an edge detector or a Gaussian blur.
#
# The manual does not speak of edges. With a matrix of 3 by 3, convolution mirrors around the first cell at the left and at the top, and repeats the last cell at
# the right and at the bottom; with 5 by 5, or in rows, it mirrors on both sides. sobel has the edges of 3 by 3, so that a slope that is there on both sides is
# 0 on one and 40 on the other. gblur with a sigma of 3 makes 28 of one edge and 39 of the other, and more steps do not make them equal. kirsch has other
# numbers down than across. Means by avgblur have equal edges.
. "$(dirname "$0")/packages.bash"
debian ffmpeg=7:5.1.9-0+deb12u1
export LD_LIBRARY_PATH="$LD_LIBRARY_PATH:$TEMP/root/usr/lib/$(uname -m)-linux-gnu/pulseaudio:$TEMP/root/lib/$(uname -m)-linux-gnu"
ROW=(10 20 40 70 100 130 150 150 130 100 70 40 20 10)
{ printf 'P2 14 14 255\n'; for _ in "${ROW[@]}"; do echo "${ROW[*]}"; done; } > "$TEMP/across.pgm"
{ printf 'P2 14 14 255\n'; for cell in "${ROW[@]}"; do for _ in "${ROW[@]}"; do printf '%s ' "$cell"; done; echo; done; } > "$TEMP/down.pgm"

# Prints the seventh row, or the seventh column, of a picture after a filter.
filtered() {
  ffmpeg -v error -nostdin -f image2 -i "$TEMP/$1.pgm" -vf "format=gray,$2" -frames:v 1 -pix_fmt gray -f rawvideo - | od -v -An -tu1 -w14 |
    awk -v "way=$1" 'way == "down" { print $7 } way == "across" && NR == 7' | xargs
}

echo "Rows 10 20 40 70 100 130 150 150 130 100 70 40 20 10"
expect 'means of three, in a matrix of 3 by 3' '17 23 43 70 100 127 143 143 127 100 70 43 23 13' "$(filtered across "convolution=0m='0 0 0 1 1 1 0 0 0'")"
expect 'means of three, in a row' '17 23 43 70 100 127 143 143 127 100 70 43 23 17' "$(filtered across "convolution=0m='1 1 1':0mode=row")"
expect 'means of five, in a matrix of 5 by 5' '26 32 48 72 98 120 132 132 120 98 72 48 32 26' "$(filtered across "convolution=0m='0 0 0 0 0 0 0 0 0 0 1 1 1 1 1 0 0 0 0 0 0 0 0 0 0'")"
expect 'sobel' '0 120 200 240 240 200 80 80 200 240 240 200 120 40' "$(filtered across sobel)"
expect 'sobel, down' '0 120 200 240 240 200 80 80 200 240 240 200 120 40' "$(filtered down sobel)"
expect 'kirsch' '60 150 230 240 240 170 20 20 170 240 240 230 150 70' "$(filtered across kirsch)"
expect 'kirsch, down' '60 255 255 255 255 255 180 180 255 255 255 255 255 150' "$(filtered down kirsch)"
expect 'gblur, sigma 1' '14 24 44 71 99 125 142 142 125 99 71 44 25 15' "$(filtered across gblur=sigma=1)"
expect 'gblur, sigma 3' '28 38 53 70 88 103 112 112 104 89 73 57 45 39' "$(filtered across gblur=sigma=3)"
expect 'gblur, sigma 3, down' '28 38 53 70 88 103 112 112 104 89 73 57 45 39' "$(filtered down gblur=sigma=3)"
expect 'gblur, sigma 3, six steps' '39 46 58 73 87 98 105 105 99 87 74 61 50 44' "$(filtered across gblur=sigma=3:steps=6)"
expect 'avgblur' '13 23 43 70 100 126 143 143 126 100 70 43 23 13' "$(filtered across avgblur=sizeX=1)"
finish

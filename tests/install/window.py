# SPDX-License-Identifier: Apache-2.0
"""Opens examples/window on a virtual screen (Xvfb) and judges what is drawn: a bar that is held at its left end is there, is
drawn in the colour of the example, and its right end swings while the left one stands.

usage: window.py PROGRAM MODEL.glb FOLDER      MODEL: limber build bar; FOLDER gets two pictures
"""
import os
import pathlib
import struct
import subprocess
import sys
import time
import zlib

import numpy

program, model, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
WIDTH, HEIGHT = 800, 600  # of the screen, which the window fills


def picture(screen):
    """What is on the screen: the file that Xvfb draws into, in the format of xwd, 32 bits for each pixel, blue first."""
    data = screen.read_bytes()
    header = struct.unpack(">25I", data[:100])
    size, width, height, line, colours = header[0], header[4], header[5], header[12], header[19]
    assert (width, height) == (WIDTH, HEIGHT)
    rows = numpy.frombuffer(data, numpy.uint8, height * line, size + 12 * colours).reshape(height, line)
    return rows.reshape(height, -1, 4)[:, :width, 2::-1]


def write_png(path, rgb):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    height, width, _ = rgb.shape
    rows = b"".join(b"\0" + row.tobytes() for row in rgb)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0))
                     + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def body_of(rgb):
    """Pixels in the orange of the example, lit or in shadow: red over green over blue."""
    r, g, b = (rgb[..., i].astype(int) for i in range(3))
    return (r > 40) & (r > 1.3 * g) & (g > 1.3 * b)


def watch(screen, window):
    """Pictures of three seconds, from the first with a body on."""
    deadline = time.monotonic() + 60
    while not body_of(picture(screen)).any():
        assert window.poll() is None, "the program has ended"
        assert time.monotonic() < deadline, "nothing was drawn in a minute"
        time.sleep(0.05)
    pictures = []
    for _ in range(30):
        pictures.append(picture(screen).copy())
        time.sleep(0.1)
    return pictures


def middle_row(mask, column):
    """Where the body is in some columns: the mean row."""
    rows = numpy.nonzero(mask[:, column].any(axis=1))[0]
    return rows.mean() if rows.size else None


def judge(pictures):
    masks = [body_of(rgb) for rgb in pictures]
    share = [mask.mean() for mask in masks]
    # A bar of 1 by 0.1 m in a view that is as high as twice its diagonal: 5% of the picture, also bent.
    assert 0.01 < min(share) and max(share) < 0.2, f"the body covers {min(share):.3f} to {max(share):.3f} of the picture"
    # Pixels that are neither the body nor the background belong to edges: few.
    background = numpy.median(pictures[0].reshape(-1, 3), axis=0)
    others = [(~mask & (abs(rgb - background) > 12).any(axis=-1)).mean() for rgb, mask in zip(pictures, masks)]
    assert max(others) < 0.01, f"{max(others):.3f} of the picture is neither body nor background"
    columns = numpy.nonzero(masks[0].any(axis=0))[0]
    left = columns[0]
    held = [middle_row(mask, slice(left, left + 8)) for mask in masks]
    ends = [middle_row(mask, slice(numpy.nonzero(mask.any(axis=0))[0][-1] - 8, None)) for mask in masks]
    assert max(held) - min(held) < 8, f"the held end moves by {max(held) - min(held)} pixels"
    assert max(ends) - min(ends) > 40, f"the free end moves by {max(ends) - min(ends)} pixels only"
    # 1 Hz, three seconds: down and up again.
    turns = numpy.diff(numpy.sign(numpy.diff(numpy.array(ends))))
    assert (turns != 0).any(), "the free end does not swing back"
    print(f"the body covers {share[0]:.3f} of the picture; its free end swings by {max(ends) - min(ends):.0f} pixels, "
          f"the held one by {max(held) - min(held):.0f}")
    return int(numpy.argmin(ends)), int(numpy.argmax(ends))


def main():
    folder.mkdir(parents=True, exist_ok=True)
    read, write = os.pipe()  # Xvfb tells which display it took
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-fbdir", folder],
                              pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        display = os.read(read, 16).decode().strip()
        assert display, "Xvfb did not start"
        environment = {**os.environ, "DISPLAY": f":{display}", "SDL_VIDEODRIVER": "x11", "LIBGL_ALWAYS_SOFTWARE": "1"}
        window = subprocess.Popen([program, model], env=environment)
        try:
            pictures = watch(folder / "Xvfb_screen0", window)
            write_png(folder / "first.png", pictures[0])
            highest, lowest = judge(pictures)
            write_png(folder / "highest.png", pictures[highest])
            write_png(folder / "lowest.png", pictures[lowest])
        finally:
            window.terminate()
            window.wait()
    finally:
        server.terminate()
        server.wait()


main()

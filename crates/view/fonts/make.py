"""Makes TussleSans-Regular.ttf and TussleSans-Bold.ttf from DejaVu Sans.

Usage: python make.py FOLDER-WITH-DEJAVU-FONTS
"""

import pathlib
import sys

from fontTools import subset
from fontTools.ttLib import TTFont

LATIN_1 = [*range(0x20, 0x7F), *range(0xA0, 0x100)]
SIGNS = "–—…‘’“”•−×±≤≥≠≈∞√→←↑↓▲▼●○■□★½·✓✗αβγελπσ\ufffd"

FAMILY = "Tussle Sans"
STYLES = {"Regular": "DejaVuSans.ttf", "Bold": "DejaVuSans-Bold.ttf"}


def rename(font, style):
    """The licence allows changed fonts only under another name; copyright and licence stay."""
    full = FAMILY if style == "Regular" else f"{FAMILY} {style}"
    names = {1: FAMILY, 2: style, 3: full, 4: full, 6: f"{FAMILY.replace(' ', '')}-{style}"}
    for record in list(font["name"].names):
        if record.nameID in names:
            record.string = names[record.nameID]
        elif record.nameID in (16, 17):
            font["name"].names.remove(record)


for style, source in STYLES.items():
    font = TTFont(pathlib.Path(sys.argv[1]) / source, recalcTimestamp=False)
    options = subset.Options()
    options.hinting = False
    options.layout_features = ["kern"]
    options.name_IDs = ["*"]
    options.notdef_outline = True
    options.drop_tables += ["FFTM"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=LATIN_1, text=SIGNS)
    subsetter.subset(font)
    rename(font, style)
    font.save(pathlib.Path(__file__).parent / f"TussleSans-{style}.ttf")

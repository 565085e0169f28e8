"""Where data lies that the product does not ship."""

import os
from pathlib import Path

LAW = Path(os.environ.get("FUNDSTELLE_LAW_DATA", Path(__file__).parents[2] / "shared" / "data" / "law"))

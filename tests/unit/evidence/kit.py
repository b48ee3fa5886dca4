"""The logs of this folder, and what a line says. All of them are made: shapes are real, hosts and figures are not."""

from pathlib import Path

from bundler.catalog.catalog import Catalog
from bundler.evidence.log import read_log
from bundler.evidence.transports import Transports

HERE = Path(__file__).parent
TRANSPORTS = Transports.of(Catalog.load())


def log(name):
    """One of the logs in `logs/`."""
    return read_log((HERE / f"logs/{name}.log").read_text().splitlines(), f"{name}.log", TRANSPORTS)


def lines(*text):
    """A log of these lines."""
    return read_log(text, "job.log", TRANSPORTS)

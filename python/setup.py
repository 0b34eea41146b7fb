"""The version is that of CMakeLists.txt, which stands beside this folder in the sources."""
import pathlib
import re

from setuptools import setup

lists = pathlib.Path(__file__).resolve().parent.parent / "CMakeLists.txt"
setup(version=re.search(r"project\(knoten VERSION ([0-9.]+)", lists.read_text()).group(1))

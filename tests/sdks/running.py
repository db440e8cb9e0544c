"""A running service of `service.py`."""

from __future__ import annotations

import json
import urllib.request
from typing import Any


class Service:
    """A running service."""

    def __init__(self, port: str) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.settings = {
            "region_name": "us-east-1",
            "endpoint_url": self.url,
            "aws_access_key_id": "key",
            "aws_secret_access_key": "secret",
        }

    def change(self, *script: dict[str, Any] | None) -> None:
        """Change the next responses."""
        request = urllib.request.Request(f"{self.url}/-/script", json.dumps(script).encode(), method="PUT")
        with urllib.request.urlopen(request):
            pass

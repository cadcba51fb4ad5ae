"""Finds and resolves services as efficiently as python-zeroconf can, and prints a line of JSON for each.

Usage: zeroconf_scan.py TYPE TIMEOUT. It works on the event loop rather than in threads, and reads the
records from the cache as they come; it queries only those that are missing after GRACE. It ends when
nothing has come for QUIET seconds and nothing is pending.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

from tools import BROWSING
from zeroconf import ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

# A long answer has all its PTR records first and the others in later packets. Sending a query for each PTR record as it
# comes (as async_request alone does) took 216 packets for 100 services, not 8.
GRACE = 0.1
# Its browser sends queries at once, then after 1 s, 2 s, …: a shorter time would end it before the second query.
QUIET = 2.0


class Scan:
    def __init__(self) -> None:
        self.told: set[str] = set()
        self.pending: set[asyncio.Task[None]] = set()
        self.last = time.monotonic()

    def tell(self, info: AsyncServiceInfo) -> None:
        if info.name in self.told:
            return
        self.told.add(info.name)
        self.last = time.monotonic()
        line = {
            "instance": info.name.removesuffix("." + info.type), "host": info.server,
            "port": info.port, "addresses": info.parsed_scoped_addresses(),
        }
        print(json.dumps(line), flush=True)

    async def ask(self, zeroconf: Zeroconf, info: AsyncServiceInfo) -> None:
        await asyncio.sleep(GRACE)
        if info.name not in self.told and await info.async_request(zeroconf, 3000):
            self.tell(info)

    def changed(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        # Updated means that a record other than PTR has come, so the service may be complete by now.
        if state_change is ServiceStateChange.Removed or name in self.told:
            return
        info = AsyncServiceInfo(service_type, name)
        if info.load_from_cache(zeroconf):
            self.tell(info)
        elif state_change is ServiceStateChange.Added:
            task = asyncio.ensure_future(self.ask(zeroconf, info))
            self.pending.add(task)
            task.add_done_callback(self.pending.discard)

    async def run(self, service_type: str, timeout: float) -> None:
        end = time.monotonic() + timeout
        async with AsyncZeroconf() as zc:
            print(BROWSING, flush=True)
            browser = AsyncServiceBrowser(zc.zeroconf, service_type, handlers=[self.changed])
            while (now := time.monotonic()) < end:
                if not self.pending and now >= self.last + QUIET:
                    break
                await asyncio.sleep(0.05)
            await browser.async_cancel()


if __name__ == "__main__":
    asyncio.run(Scan().run(sys.argv[1] + ".local.", float(sys.argv[2])))

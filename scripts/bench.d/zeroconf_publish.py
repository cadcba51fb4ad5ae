"""Publishes N services with python-zeroconf until its standard input ends.

Usage: zeroconf_publish.py TYPE FIRST_PORT N HOST ADDRESS. Prints "ready" when all are registered.
"""

from __future__ import annotations

import asyncio
import socket
import sys

from publishers import txt
from tools import instance_name
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

# All 2,000 probes at once would overflow the receive buffers of this network.
BATCH = 50


async def publish(service_type: str, first_port: int, count: int, host: str, address: str) -> None:
    infos = [
        AsyncServiceInfo(
            service_type, f"{instance_name(i)}.{service_type}", port=first_port + i,
            addresses=[socket.inet_aton(address)], server=f"{host}-services.local.",
            properties=txt(i),
        )
        for i in range(1, count + 1)
    ]
    async with AsyncZeroconf(interfaces=[address]) as zc:
        for start in range(0, count, BATCH):
            # The names are known to be unique here: cooperating_responders skips the probing.
            tasks = [
                await zc.async_register_service(info, cooperating_responders=True)
                for info in infos[start:start + BATCH]
            ]
            await asyncio.gather(*tasks)
        print("ready", flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    _, kind, port, number, name, ip = sys.argv
    asyncio.run(publish(kind + ".local.", int(port), int(number), name, ip))

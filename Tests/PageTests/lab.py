"""Programs on hosts of the lab: agents with folders of their own, gateways, and ways that forward their ports."""

import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LAB = f"{ROOT}/scripts/lab"
CLAWRADAR = os.environ.get("CLAWRADAR_PAGE_CLAWRADAR")
GATEWAY = os.environ.get("CLAWRADAR_PAGE_GATEWAY")
# The host on which these tests and their browser are.
HERE = "h1"


def address(host):
    return f"10.99.0.{host[1:]}"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def until(seconds, what, test):
    """Asks until the answer is one; gives it."""
    end = time.monotonic() + seconds
    while not (answer := test()):
        if time.monotonic() > end:
            raise AssertionError(f"after {seconds} s still not: {what}")
        time.sleep(0.02)
    return answer


class Program:
    """A program on a host, and what it has said."""

    def __init__(self, host, command, environment=None):
        self.text = ""
        self.process = subprocess.Popen(
            [LAB, "exec", host, *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, "NO_COLOR": "1", **(environment or {})})
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        with self.process.stdout:
            for line in self.process.stdout:
                self.text += line

    def says(self, pattern, seconds=20):
        return until(seconds, f"{self.process.args} says {pattern}:\n{self.text[-2000:]}", lambda: re.search(pattern, self.text))

    def end(self, seconds=20):
        return self.process.wait(seconds)

    def kill(self):
        # Each step of `scripts/lab exec` replaces the one before: this is the program itself.
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


class Device:
    """A host's user with a configuration, a store and an agent of its own."""

    def __init__(self, host):
        self.host, self.agent, self.login = host, None, None
        self.folder = tempfile.mkdtemp(prefix="page-")
        names = {"HOME": "", "XDG_RUNTIME_DIR": "/run", "XDG_CONFIG_HOME": "/config", "XDG_DATA_HOME": "/data", "XDG_STATE_HOME": "/state"}
        self.environment = {name: self.folder + under for name, under in names.items()}
        os.mkdir(f"{self.folder}/run", 0o700)

    def start(self, configuration=None, port=None):
        """Starts the agent; gives the time at which it was started."""
        if configuration:
            os.makedirs(f"{self.folder}/config/clawradar", exist_ok=True)
            with open(f"{self.folder}/config/clawradar/config.yaml", "w") as file:
                file.write(configuration)
        start = time.monotonic()
        self.agent = Program(self.host, [CLAWRADAR, "agent", *(["--port", str(port)] if port else [])], self.environment)
        self.agent.says("store: running")
        return start

    def run(self, *arguments, status=0):
        result = subprocess.run([LAB, "exec", self.host, CLAWRADAR, *arguments], env={**os.environ, "NO_COLOR": "1", **self.environment},
                                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=90)
        if status is not None and result.returncode != status:
            raise AssertionError(f"clawradar {arguments}: {result.returncode}\n{result.stdout}{result.stderr}")
        return result.stdout + result.stderr

    def begin(self, *arguments):
        return Program(self.host, [CLAWRADAR, *arguments], self.environment)

    def page(self):
        """The address of the page with a login."""
        return self.run("page", "--print").split()[0]

    def pairings(self):
        return json.loads(self.run("pairings", "--format", "json"))["pairings"]

    def end(self):
        if self.agent:
            self.agent.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Gateway:
    """A gateway that can be stopped and started again as the same one."""

    def __init__(self, host, name, *options, port=3000, bots=("Jarvis:🤖",)):
        self.host, self.name, self.port = host, name, port
        self.folder = tempfile.mkdtemp(prefix="gateway-")
        self.state = f"{self.folder}/state.json"
        bot_list = f"{self.folder}/bots.json"
        with open(bot_list, "w") as file:
            json.dump([{"botId": f"bot-{i}", "name": bot.split(":")[0], "emoji": bot.split(":")[1]} for i, bot in enumerate(bots)], file)
        self.command = [GATEWAY, "--name", name, "--host", "::", "--port", str(port), "--bots", bot_list, "--state", self.state, *options]
        self.start()

    def start(self):
        """Starts it; gives the time at which it listens."""
        self.program = Program(self.host, self.command)
        self.program.says("listens")
        return time.monotonic()

    def run(self, verb, *arguments):
        result = subprocess.run([LAB, "exec", self.host, GATEWAY, verb, *arguments, "--state", self.state], capture_output=True, text=True, timeout=30)
        if result.returncode != 0:
            raise AssertionError(f"reference-gateway {verb}: {result.stdout}{result.stderr}")
        return result.stdout.strip()

    def stop(self):
        self.program.kill()

    def end(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


# This file is the forwarder, too: lab.py FROM-ADDRESS FROM-PORT TO-ADDRESS TO-PORT [CERTIFICATE], as `ssh -L` or, with a
# certificate and its key in one file, as `tailscale serve`.

def pump(source, sink):
    try:
        while data := source.recv(65_536):
            sink.sendall(data)
    except OSError:
        pass
    finally:
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def forward(source, port, sink, sink_port, certificate=None):
    with socket.create_server((source, int(port))) as server:
        context = None
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
        print("forwards", flush=True)

        def serve(client):
            try:
                inner = context.wrap_socket(client, server_side=True) if context else client
                onward = socket.create_connection((sink, int(sink_port)), 5)
                onward.settimeout(None)
            except OSError:
                return client.close()
            threading.Thread(target=pump, args=(inner, onward), daemon=True).start()
            pump(onward, inner)
            inner.close()
            onward.close()

        while True:
            threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()


def forwarder(host, *arguments):
    program = Program(host, ["/usr/bin/python3", __file__, *map(str, arguments)])
    program.says("forwards")
    return program


if __name__ == "__main__":
    forward(*sys.argv[1:])

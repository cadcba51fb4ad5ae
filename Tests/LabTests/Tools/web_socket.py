"""The server's side of WebSockets (RFC 6455), as far as the tools in this folder need it."""
import base64
import hashlib
import json
import struct


class Messages:
    """Parses the WebSocket messages that a client sends. Anything else, such as TLS, is ignored."""

    def __init__(self) -> None:
        self.data, self.head = b"", None

    def feed(self, data: bytes) -> list[tuple[int, bytes]]:
        self.data += data
        if self.head is None:
            head, end, rest = self.data.partition(b"\r\n\r\n")
            if not end or not head.startswith(b"GET "):
                return []
            self.head, self.data = head, rest
        messages = []
        while (message := self.take()) is not None:
            messages.append(message)
        return messages

    def take(self) -> tuple[int, bytes] | None:
        if len(self.data) < 2:
            return None
        size, start = self.data[1] & 0x7F, 2
        for marker, form in ((126, ">H"), (127, ">Q")):
            if size == marker:
                start += struct.calcsize(form)
                if len(self.data) < start:
                    return None
                (size,) = struct.unpack(form, self.data[2:start])
                break
        end = start + 4 + size
        if len(self.data) < end:
            return None
        mask, masked, opcode = self.data[start:start + 4], self.data[start + 4:end], self.data[0] & 0x0F
        self.data = self.data[end:]
        return opcode, bytes(byte ^ mask[index % 4] for index, byte in enumerate(masked))


def accept(head: bytes) -> bytes:
    """Returns the answer to a client's upgrade request."""
    key = next((line.split(b":", 1)[1].strip() for line in head.split(b"\r\n")
                if line.lower().startswith(b"sec-websocket-key:")), b"")
    accepted = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
    return (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accepted + b"\r\n\r\n")


def parsed(message: bytes) -> object:
    try:
        return json.loads(message)
    except ValueError:
        return None


def frame(message: dict | bytes) -> bytes:
    opcode, data = (0x88, message) if isinstance(message, bytes) else (0x81, json.dumps(message).encode())
    size = (bytes([len(data)]) if len(data) < 126 else b"\x7e" + struct.pack(">H", len(data)) if len(data) < 65_536
            else b"\x7f" + struct.pack(">Q", len(data)))
    return bytes([opcode]) + size + data

// One import for everything that a program needs to find gateways, to advertise one, to pair with them and to stay
// connected. This module re-exports the modules below; its own public interface is only the convenience declarations in
// this folder.
@_exported public import Advertising
@_exported public import DNSSD
@_exported public import Discovery
@_exported public import GatewayProtocol
@_exported public import Pairing
@_exported public import Scanning

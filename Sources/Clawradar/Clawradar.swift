// Everything that a daemon needs to find gateways and to make one findable, with one import. What these modules show is all
// that this one shows; only the shortcuts in this folder are its own.
@_exported public import Advertising
@_exported public import Constellation
@_exported public import DNSSD
@_exported public import Discovery
@_exported public import GatewayProtocol
@_exported public import Scanning

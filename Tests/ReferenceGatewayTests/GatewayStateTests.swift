@testable import ReferenceGateway

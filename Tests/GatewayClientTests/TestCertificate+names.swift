/// Certificates of which only some prove ``host``. All have the key of ``named``, and are their own roots.
extension TestCertificate {
    /// The common name is ``host``; the only SAN is the address 127.0.0.1.
    static let forAddress = """
        -----BEGIN CERTIFICATE-----
        MIIBljCCATygAwIBAgIUNAbeY2I0FC5DZ4e0UcjTV0OemLcwCgYIKoZIzj0EAwIw
        FzEVMBMGA1UEAwwMZ2F0ZXdheS50ZXN0MCAXDTI2MTEyNTA4NDkxOVoYDzIxMjYx
        MTAxMDg0OTE5WjAXMRUwEwYDVQQDDAxnYXRld2F5LnRlc3QwWTATBgcqhkjOPQIB
        BggqhkjOPQMBBwNCAAQYyYYR3hZoU0bBEr9xTFU2KI51GMCM82BGsEfYg0VSkZ3L
        fbZz4rAgxBwIHd4ykcO81pdnHsEKGJH/Sf0oqg6/o2QwYjAdBgNVHQ4EFgQUuPUY
        7D36+4RMDLwmlAPHR2XwbtwwHwYDVR0jBBgwFoAUuPUY7D36+4RMDLwmlAPHR2Xw
        btwwDwYDVR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMC
        A0gAMEUCIQDPCDLMwVNR1zydPGzHQ9KSIOzXRiwL6XyRbSDKKrRzvAIgLwRdFmPz
        xL8jluiAl0JX9G/jdyTfbZS/Wm4emAy9GD8=
        -----END CERTIFICATE-----
        """

    /// The common name is ``host``, and there is no SAN.
    static let withoutNames = """
        -----BEGIN CERTIFICATE-----
        MIIBhTCCASugAwIBAgIUdsJ+Iu0rGj2sJmQ4uIStWX+m6u8wCgYIKoZIzj0EAwIw
        FzEVMBMGA1UEAwwMZ2F0ZXdheS50ZXN0MCAXDTI2MTEyNTA4NDkxOVoYDzIxMjYx
        MTAxMDg0OTE5WjAXMRUwEwYDVQQDDAxnYXRld2F5LnRlc3QwWTATBgcqhkjOPQIB
        BggqhkjOPQMBBwNCAAQYyYYR3hZoU0bBEr9xTFU2KI51GMCM82BGsEfYg0VSkZ3L
        fbZz4rAgxBwIHd4ykcO81pdnHsEKGJH/Sf0oqg6/o1MwUTAdBgNVHQ4EFgQUuPUY
        7D36+4RMDLwmlAPHR2XwbtwwHwYDVR0jBBgwFoAUuPUY7D36+4RMDLwmlAPHR2Xw
        btwwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiBfCvsitfr6Kqoi
        HfBFc990xWM4mINcNUDDvPbIjk5ycAIhAJlnxc0tjEvZvLsPljZ1TDQ8CmmZgwdx
        sUkristOr06v
        -----END CERTIFICATE-----
        """

    /// The only SAN is the host name `g*.test`.
    static let withPartOfLabel = """
        -----BEGIN CERTIFICATE-----
        MIIBmTCCAT+gAwIBAgIUObMWg+al771d5S3GSGDque+rNd0wCgYIKoZIzj0EAwIw
        FzEVMBMGA1UEAwwMZ2F0ZXdheS50ZXN0MCAXDTI2MTEyNTA4NDkxOVoYDzIxMjYx
        MTAxMDg0OTE5WjAXMRUwEwYDVQQDDAxnYXRld2F5LnRlc3QwWTATBgcqhkjOPQIB
        BggqhkjOPQMBBwNCAAQYyYYR3hZoU0bBEr9xTFU2KI51GMCM82BGsEfYg0VSkZ3L
        fbZz4rAgxBwIHd4ykcO81pdnHsEKGJH/Sf0oqg6/o2cwZTAdBgNVHQ4EFgQUuPUY
        7D36+4RMDLwmlAPHR2XwbtwwHwYDVR0jBBgwFoAUuPUY7D36+4RMDLwmlAPHR2Xw
        btwwDwYDVR0TAQH/BAUwAwEB/zASBgNVHREECzAJggdnKi50ZXN0MAoGCCqGSM49
        BAMCA0gAMEUCICXq+9ldjiWCzRtA0WF8I5XKNLKaNXxJE47qzdQczUS7AiEAhLaY
        0EBhJKFuD1D8hSO81cWvVxW387jlkbL/CcGGVLU=
        -----END CERTIFICATE-----
        """

    /// The only SANs are the mail address and the URI `gateway.test`.
    static let forOtherUses = """
        -----BEGIN CERTIFICATE-----
        MIIBrDCCAVKgAwIBAgIUIFMX8JrtXOLlvVVaFXbHTDL6k6owCgYIKoZIzj0EAwIw
        FzEVMBMGA1UEAwwMZ2F0ZXdheS50ZXN0MCAXDTI2MTEyNTA4NDkxOVoYDzIxMjYx
        MTAxMDg0OTE5WjAXMRUwEwYDVQQDDAxnYXRld2F5LnRlc3QwWTATBgcqhkjOPQIB
        BggqhkjOPQMBBwNCAAQYyYYR3hZoU0bBEr9xTFU2KI51GMCM82BGsEfYg0VSkZ3L
        fbZz4rAgxBwIHd4ykcO81pdnHsEKGJH/Sf0oqg6/o3oweDAdBgNVHQ4EFgQUuPUY
        7D36+4RMDLwmlAPHR2XwbtwwHwYDVR0jBBgwFoAUuPUY7D36+4RMDLwmlAPHR2Xw
        btwwDwYDVR0TAQH/BAUwAwEB/zAlBgNVHREEHjAcgQxnYXRld2F5LnRlc3SGDGdh
        dGV3YXkudGVzdDAKBggqhkjOPQQDAgNIADBFAiEA6hsDRkMb91ZZ65Ecbx4/0cTG
        xhaFnLDPIbAV238EDUgCICHD0AegqQ8ue8QO3KzuoXI8MJ6xaeKi5/rzJsC1yjYc
        -----END CERTIFICATE-----
        """

    /// The only SAN is the host name `*.test`.
    static let withWildcard = """
        -----BEGIN CERTIFICATE-----
        MIIBkDCCATagAwIBAgIUXSd4OlYfd3DrzUOBR3WeSNQI6WYwCgYIKoZIzj0EAwIw
        EzERMA8GA1UEAwwIYW55dGhpbmcwIBcNMjYxMTI1MDg0OTE5WhgPMjEyNjExMDEw
        ODQ5MTlaMBMxETAPBgNVBAMMCGFueXRoaW5nMFkwEwYHKoZIzj0CAQYIKoZIzj0D
        AQcDQgAEGMmGEd4WaFNGwRK/cUxVNiiOdRjAjPNgRrBH2INFUpGdy322c+KwIMQc
        CB3eMpHDvNaXZx7BChiR/0n9KKoOv6NmMGQwHQYDVR0OBBYEFLj1GOw9+vuETAy8
        JpQDx0dl8G7cMB8GA1UdIwQYMBaAFLj1GOw9+vuETAy8JpQDx0dl8G7cMA8GA1Ud
        EwEB/wQFMAMBAf8wEQYDVR0RBAowCIIGKi50ZXN0MAoGCCqGSM49BAMCA0gAMEUC
        IFlTNTM96o3leKfXV8SPgXFoDb7N/6vvZmG58ZZ39OtkAiEA41WMzu8QapNYTWxF
        EnSa9UOO+J1Nx3JJoIlRu2aGn/U=
        -----END CERTIFICATE-----
        """
}

import TestSupport
import Testing

/// Protection of everything that the responder sends and reports against changes that are only meant to move, rename or
/// speed up code.
@Suite struct ResponderTranscriptTests {
    /// The seeds of random sequences of events, and the digest of each transcript at the last intended change of
    /// behaviour.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0xBF07_9076_5061_6078), (1, 0x4FC6_0235_E7A9_7787), (2, 0xBFF1_68AD_28E0_5548),
        (3, 0x9045_6A5A_713F_1CA1), (4, 0xD6F3_D963_6BA9_F99D), (5, 0x6743_8C60_EC3E_5772),
        (6, 0xC22A_3D89_B2EC_3E39), (7, 0x22A9_1498_B555_6DCF), (8, 0xC371_E516_DDB9_1298),
        (9, 0x2BDA_7AB7_5E8D_1357), (10, 0x081B_1751_54AB_8544), (11, 0x65E0_FF8E_95FB_389C),
        (12, 0xD05F_7AE7_5950_989A), (13, 0xC5AE_7331_3A56_17AC), (14, 0x73D5_351E_67F9_AE9D),
        (15, 0x4027_8D94_4DCC_C27D), (16, 0x5E6F_7DBB_806E_D388), (17, 0x2D51_BAD3_3AAC_0EE5),
        (18, 0x7C5A_81B8_E567_9F14), (19, 0xACA3_806E_5E97_BBDA), (20, 0xE532_2037_A4E3_DD89),
        (21, 0xFB10_2AFB_7934_3FBA), (22, 0x6BC2_2AFE_3ACE_EFEC), (23, 0x279D_6D26_EEBC_A664),
        (24, 0x8181_E5E6_7B8C_5CC3), (25, 0xD4AD_42AE_A02C_7420), (26, 0x6737_1F67_D26C_0A64),
        (27, 0x6D29_32DD_1EAE_28DC), (28, 0x8A2E_CDB5_E60C_CBB2), (29, 0x2461_361E_73D5_CE86),
        (30, 0x0B23_0595_138C_DD54), (31, 0x4A0C_F063_3E13_0409), (32, 0x9B25_73B2_F797_24F8),
        (33, 0xB916_E9FD_B3FA_937B), (34, 0x4C92_025B_0905_C6FF), (35, 0x278D_30DD_0D10_813D),
        (36, 0xC6C4_975E_CC0F_C01B), (37, 0x1892_44A4_C92F_B344), (38, 0x73DF_2BFF_1426_ADBC),
        (39, 0x9A3D_3C03_4D68_7FC0),
    ]

    @Test func theResponderDoesWhatItDid() throws {
        let differences = try CourseTranscript.differences(from: Self.digests, name: "responder") {
            try ResponderTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}

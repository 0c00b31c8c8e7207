package import ThumbturnJSON
package import ThumbturnRules

extension BiometricCapability {
    /// What is known of the sensor.
    package var json: JSON {
        [
            "assurance": .string(assurance.name), "available": .bool(available),
            "biometryType": .string(biometryType.name), "enrolled": .bool(enrolled),
            "reasonIfUnavailable": JSON(reasonIfUnavailable?.name), "supported": .bool(supported),
        ]
    }
}

extension BiometricCapability.EnablingObstacle {
    /// Its name, and what a screen says of it.
    package func json(in language: Language) -> JSON {
        let name =
            switch self {
            case .unavailable(let reason): reason.name
            case .assuranceTooLow: "assuranceTooLow"
            }
        return ["message": .string(Words(self).in(language)), "name": .string(name)]
    }
}

function Invoke-Check { param($N) $N }

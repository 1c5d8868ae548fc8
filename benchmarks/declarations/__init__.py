"""Agreement with ptxas on generated declarations of registers, variables and parameters."""

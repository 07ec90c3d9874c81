"""Parcels, fees and carriers."""

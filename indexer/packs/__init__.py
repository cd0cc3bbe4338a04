"""Knowledge of frameworks that no analysis of code can see."""

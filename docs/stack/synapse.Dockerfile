# Synapse with a data folder that belongs to a normal user; a new volume takes its owner from here.
FROM matrixdotorg/synapse:v1.163.2
RUN install --directory --owner 1000 --group 1000 --mode 700 /data
USER 1000:1000
